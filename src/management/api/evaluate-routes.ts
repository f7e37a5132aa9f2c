/** The route that shows what a caller would be answered, and why. */
import { z } from 'zod';
import { makeCaller } from '../../content/caller.js';
import { parseInstant } from '../../content/mapping/instant.js';
import { parseVersion } from '../../content/version.js';
import { evaluate } from '../authoring/evaluate.js';
import { Refusal } from '../authoring/refusal.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { rawObject, sendRaw } from './raw-json.js';
import { contentIdShape, environmentParams, instantShape, revisionShape } from './shapes.js';

/** Not a record, which would leave out `__proto__`: attributes go in as delivery takes them. */
const attributesShape = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

const bodyShape = z.strictObject({
  id: contentIdShape,
  u: z.string().default(''),
  p: attributesShape.optional(),
  v: z
    .string()
    .refine((text) => parseVersion(text) !== null, 'must have the form X.Y.Z')
    .nullish(),
  at: instantShape.optional().describe('RFC 3339; left out, now.'),
  revision: revisionShape.optional().describe('Left out, the live one.'),
});

export function registerEvaluate(app: AdminApp, context: AdminContext): void {
  app.post(
    '/admin/v1/environments/:env/evaluate',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['evaluate'],
        description:
          'The wrapped answer byte for byte as delivery gives it (null where it answers 404), the line, and each rule with what decided.',
        params: environmentParams,
        body: bodyShape,
      },
    },
    async (request, reply) => {
      const { id, u, p = {}, v = null, at, revision = null } = request.body;
      const atMs = at === undefined ? context.now() : (parseInstant(at) ?? context.now());
      const caller = makeCaller(u, p, v);
      const environment = request.params.env;
      const wish = { environment, id, revision, caller, atMs };
      const value = await context.store.read((db) => evaluate(db, wish));
      if (value instanceof Refusal) return sendProblem(reply, value);
      const { answer, appVersion, ...rest } = value;
      const plain = { ...rest, line: appVersion, at: new Date(atMs).toISOString() };
      return sendRaw(reply, 200, rawObject(plain, { answer: answer ?? 'null' }));
    },
  );
}
