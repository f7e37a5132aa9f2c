/** Retention: one run on request. */
import { applyRetention } from '../../contract/operations/retention.js';
import { Problem } from '../../contract/problems.js';
import { actorOf } from '../http/commit.js';
import { type Handler, handle } from '../http/handlers.js';
import { housekeepingAskedMsMax } from '../limits/housekeeping.js';
import type { Housekeeping } from './housekeeping.js';

/** @param housekeeping runs with its own rules where a request names none */
export function retentionHandlers(
  housekeeping: Pick<Housekeeping, 'run' | 'rules'>,
): readonly Handler[] {
  return [
    handle(applyRetention, async ({ body, request }) => {
      const defaults = housekeeping.rules;
      const {
        dryRun,
        revisionsKept = defaults.revisionsKept,
        deletedDaysKept = defaults.deletedDaysKept,
      } = body;
      const rules = { revisionsKept, deletedDaysKept };
      const actor = actorOf(request);
      const result = await housekeeping.run({
        actor,
        rules,
        dryRun,
        msMax: housekeepingAskedMsMax,
      });
      if (result !== null) return { dryRun, ...rules, ...result };
      const detail = 'Housekeeping is under way; ask again when it is done.';
      return new Problem('housekeeping_running', detail);
    }),
  ];
}
