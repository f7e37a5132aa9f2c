/** The route that streams an environment out. */
import { z } from 'zod';
import { exportsAtOnceMax } from '../../contract/limits.js';
import { ndjsonType } from '../../contract/operation.js';
import { Problem } from '../../contract/problems.js';
import { environmentParams } from '../../contract/schemas/common.js';
import { transferLineSchema } from '../../contract/schemas/transfer-line.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { sendNdjson } from '../http/ndjson.js';
import { problems } from '../http/problem-responses.js';
import { exportStalledMsMax } from '../limits.js';
import { findEnvironment } from '../store/environments.js';
import { exportLines } from '../transfer/export-lines.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';

export function registerExport(app: AdminApp, { store }: AdminContext): void {
  let underWay = 0;
  app.get(
    '/admin/v1/environments/:env/export',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['transfer'],
        description:
          'Streams the environment as NDJSON, all of one moment: a line on the environment, one for each saved segment (by name) and content (by id), and an end line with their counts, without which the stream was cut off. Texts, mappings, schemas and conditions are strings that hold them byte for byte. The same state gives the same bytes. History, keys and users are not exported.',
        params: environmentParams,
        querystring: z.object({
          drafts: z
            .enum(['true', 'false'])
            .default('true')
            .describe('Whether unpublished edits of live contents come too, a line each.'),
        }),
        response: {
          200: {
            description: 'One object a line.',
            content: { [ndjsonType]: { schema: transferLineSchema } },
          },
          ...problems('environment_not_found', 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const drafts = request.query.drafts === 'true';
      const environment = await store.read((db) => findEnvironment(db, env));
      if (environment === null) return sendProblem(reply, environmentUnknown(env));
      if (underWay >= exportsAtOnceMax) {
        const detail = `${exportsAtOnceMax} exports are under way already; try again soon.`;
        return sendProblem(reply, new Problem('limit_reached', detail));
      }
      underWay += 1;
      reply.raw.once('close', () => {
        underWay -= 1;
      });
      // The socket says so when its reader has taken nothing for this long.
      reply.raw.setTimeout(exportStalledMsMax, () => reply.raw.destroy());
      const lines = store.readStream((db) => exportLines(db, { environment, drafts }));
      return sendNdjson(reply, lines);
    },
  );
}
