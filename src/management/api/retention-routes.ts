/** The route that removes what retention does not keep, now instead of within the hour. */
import { z } from 'zod';
import { deletedDaysKeptMax, revisionsKeptMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import type { Housekeeping } from '../housekeeping.js';
import { problems } from '../http/problem-responses.js';
import { housekeepingAskedMsMax } from '../limits.js';
import { actorOf } from './commit.js';
import type { AdminApp } from './context.js';
import { sendProblem } from './problem.js';

const countSchema = z.int().min(0);

const retentionSchema = z.object({
  dryRun: z.boolean(),
  revisionsKept: countSchema
    .nullable()
    .describe('Newest of each content and of each segment; null: all.'),
  deletedDaysKept: countSchema
    .nullable()
    .describe('Days that deleted contents can be brought back; null: for ever.'),
  removed: z.object({
    contents: countSchema.describe('Deleted ones, whose time was over.'),
    revisions: countSchema,
    texts: countSchema.describe('Stored texts that no revision used any more.'),
    textBytes: countSchema,
  }),
  finished: z.boolean().describe('False: there is more; ask again.'),
});

export function registerRetention(
  app: AdminApp,
  housekeeping: Pick<Housekeeping, 'run' | 'rules'>,
): void {
  app.post(
    '/admin/v1/retention',
    {
      config: { role: 'owner' },
      schema: {
        tags: ['operations'],
        description:
          'Removes what retention does not keep, which also happens by itself every hour. It ends after some seconds, done or not (`finished`). A dry run counts; texts that only the counted revisions use are not among its texts. The rules are those the server was started with, unless the body names others for this run. The live revision, the newest, and the one that bringing a deleted content back would publish are always kept.',
        body: z
          .strictObject({
            dryRun: z.boolean().default(false).describe('Count, and remove nothing.'),
            revisionsKept: z
              .int()
              .min(1)
              .max(revisionsKeptMax)
              .nullable()
              .optional()
              .describe('Newest of each content; null: all. Left out: as the server was started.'),
            deletedDaysKept: z
              .int()
              .min(0)
              .max(deletedDaysKeptMax)
              .nullable()
              .optional()
              .describe('Days; null: for ever. Left out: as the server was started.'),
          })
          .default({ dryRun: false }),
        response: { 200: retentionSchema, ...problems('housekeeping_running') },
      },
    },
    async (request, reply) => {
      const { dryRun, ...wished } = request.body;
      const { revisionsKept, deletedDaysKept } = housekeeping.rules;
      const rules = {
        revisionsKept: wished.revisionsKept === undefined ? revisionsKept : wished.revisionsKept,
        deletedDaysKept:
          wished.deletedDaysKept === undefined ? deletedDaysKept : wished.deletedDaysKept,
      };
      const actor = actorOf(request);
      const ran = await housekeeping.run({ actor, rules, dryRun, msMax: housekeepingAskedMsMax });
      if (ran === null) {
        const detail = 'Housekeeping is under way; ask again when it is done.';
        return sendProblem(reply, new Problem('housekeeping_running', detail));
      }
      return reply.send({ dryRun, ...rules, ...ran });
    },
  );
}
