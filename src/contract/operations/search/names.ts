/** Names of what there is in an environment. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { environmentParams } from '../../schemas/common.js';
import { experimentStateSchema } from '../../schemas/experiment.js';
import { releaseStateSchema } from '../../schemas/release.js';

const tag = 'search';

const namedRuleSchema = z
  .object({
    rule: z.int().describe('Its place in the mapping, from 0.'),
    segment: z.string().describe('Its name, which players are reported under.'),
    saved: z.boolean().describe('Its condition is the saved segment of that name.'),
    info: z.string().nullable().describe('Its label for analytics.'),
    attributes: z.array(z.string()).describe('Attributes of users that its own condition reads.'),
  })
  .register(z.globalRegistry, { id: 'NamedRule' });

export type NamedRule = z.output<typeof namedRuleSchema>;

const namedContentSchema = z
  .object({
    id: z.string(),
    tags: z.array(z.string()),
    newest: z.int().describe('Number of the newest revision.'),
    live: z.int().nullable().describe('Below `newest` or null: the newest revision is a draft.'),
    rules: z.array(namedRuleSchema).readonly().describe('Of the newest revision, in order.'),
  })
  .register(z.globalRegistry, { id: 'NamedContent' });

export type NamedContent = z.output<typeof namedContentSchema>;

const namesSchema = z
  .object({
    contents: z.array(namedContentSchema),
    segments: z.array(z.object({ name: z.string(), description: z.string() })),
    experiments: z
      .array(z.object({ id: z.string(), name: z.string(), state: experimentStateSchema }))
      .describe('Newest first.'),
    releases: z
      .array(z.object({ release: z.int(), title: z.string(), state: releaseStateSchema }))
      .describe('Newest first.'),
    truncated: z
      .array(z.enum(['contents', 'rules', 'segments', 'experiments', 'releases']))
      .describe('What there is more of than a response names.'),
  })
  .register(z.globalRegistry, { id: 'Names' });

export type Names = z.output<typeof namesSchema>;

export const listNames = operation('GET /environments/:env/names', {
  tag,
  description:
    'Names what there is in an environment, in one response: contents with their rules, segments, experiments and releases. For palettes and completion.',
  role: 'viewer',
  params: environmentParams,
  responses: { 200: namesSchema },
  problems: ['too_costly'],
});
