/** The route that lists the attributes that an environment has to do with, for those who write conditions. */
import { z } from 'zod';
import { attributePlacesShownMax } from '../../contract/limits.js';
import { environmentParams } from '../../contract/schemas/common.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import type { KnownAttribute } from '../evaluation/environment-attributes.js';
import { problems } from '../http/problem-responses.js';
import { attributesShownMax } from '../limits.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';

const placesSchema = (what: string) =>
  z.array(z.string()).describe(`${what} At most ${attributePlacesShownMax} are named.`);

const attributeSchema = z.object({
  name: z.string().describe('As the game sends it in `p`: of `player.level` it is `player`.'),
  segments: placesSchema('Saved segments whose condition reads it.'),
  contents: placesSchema('Ids of contents whose live mapping has a condition on it.'),
  sampleUsers: placesSchema('Sample users that have it.'),
  lastSeen: z
    .string()
    .nullable()
    .describe(
      'Day (UTC, `2026-11-23`) on which a request carried it last; null: none did in the last 90 days, as far as requests are looked at.',
    ),
});
attributeSchema.register(z.globalRegistry, { id: 'Attribute' });

export function registerAttributes(app: AdminApp, { attributes }: AdminContext): void {
  app.get(
    '/admin/v1/environments/:env/attributes',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['evaluate'],
        description:
          'Lists the attributes of users that live conditions, sample users or requests have, by name. Of requests only names are kept, never values.',
        params: environmentParams,
        response: {
          200: z.object({
            attributes: z.array(attributeSchema),
            cut: z
              .boolean()
              .describe('There are more, or requests carry more names than are kept.'),
          }),
          ...problems('environment_not_found', 'too_costly'),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const known = await attributes.list(env);
      if (known === null) return sendProblem(reply, environmentUnknown(env));
      const names = [...known.byName.keys()].sort();
      return reply.send({
        attributes: names
          .slice(0, attributesShownMax)
          .map((name) => attributeJson(name, known.byName.get(name) as KnownAttribute)),
        cut: known.isCut || names.length > attributesShownMax,
      });
    },
  );
}

function attributeJson(
  name: string,
  { segments, contents, sampleUsers, lastSeenMs }: KnownAttribute,
): z.input<typeof attributeSchema> {
  return {
    name,
    segments: [...segments].slice(0, attributePlacesShownMax),
    contents: [...contents].slice(0, attributePlacesShownMax),
    sampleUsers: [...sampleUsers].slice(0, attributePlacesShownMax),
    lastSeen: lastSeenMs === null ? null : new Date(lastSeenMs).toISOString().slice(0, 10),
  };
}
