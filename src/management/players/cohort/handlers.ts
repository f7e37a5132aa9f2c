/** Cohorts: which players of a list were given a value at a place between two times. */
import { parseInstant } from '../../../content/mapping/instant.js';
import { findCohort } from '../../../contract/operations/players/cohort.js';
import { Problem } from '../../../contract/problems.js';
import { rawMembers } from '../../http/body/raw-members.js';
import { goneSignal } from '../../http/gone-signal.js';
import { type Handler, handle } from '../../http/handlers.js';
import { bodyIssue } from '../../http/problem.js';
import { Turns } from '../../jobs/turns.js';
import {
  cohortDaysMax,
  cohortPageMsMax,
  cohortsAtOnceMax,
  cohortsWaitingMax,
  cohortTaskMsMax,
  cohortWaitMsMax,
} from '../../limits/evaluation.js';
import { msPerDay } from '../../limits/work.js';
import { toIso } from '../../to-iso.js';
import { cohortPlayer, countOutcomes } from './cohort-player.js';
import { evaluatePage } from './evaluate-page.js';
import { planPeriods } from './plan-periods.js';

/**
 * Handlers that share the turns of cohorts.
 * @param budget milliseconds that a page and a task take
 */
export function cohortHandlers(
  budget: { readonly pageMsMax: number; readonly taskMsMax: number } = {
    pageMsMax: cohortPageMsMax,
    taskMsMax: cohortTaskMsMax,
  },
): readonly Handler[] {
  const turns = new Turns({
    atOnceMax: cohortsAtOnceMax,
    waitingMax: cohortsWaitingMax,
    waitMsMax: cohortWaitMsMax,
  });
  return [
    handle(findCohort, async ({ params: { env }, body, context, request, reply }) => {
      const { store, work, limits } = context;
      const { id, path, players, limit } = body;
      const nowMs = context.now();
      const fromMs = parseInstant(body.from) ?? nowMs;
      const toMs = body.to === undefined ? nowMs : (parseInstant(body.to) ?? nowMs);
      if (toMs > nowMs) return bodyIssue('to', 'must not be in the future');
      if (fromMs >= toMs) return bodyIssue('from', 'must be before "to"');
      if (toMs - fromMs > cohortDaysMax * msPerDay) {
        return bodyIssue('from', `must be at most ${cohortDaysMax} days before "to"`);
      }
      // The texts as they were sent: parsing and writing them again could lose what decides.
      const raw = rawMembers(request.rawBody ?? new Uint8Array());
      const range = { environment: env, id, fromMs, toMs };
      const signal = goneSignal(reply);
      const done = await turns.run(async () => {
        const plan = await planPeriods(store, range);
        if (plan instanceof Problem) return plan;
        const sent = {
          players: raw.get('players') ?? noPlayers,
          equals: raw.get('equals') ?? null,
        };
        const count = Math.min(players.length, limit);
        const deps = { store, work, levelsMax: limits.textLevelsMax, ...budget, signal };
        const page = await evaluatePage(deps, { ...range, ...plan, path, ...sent, count });
        return { ...page, ...plan };
      }, signal);
      if (done instanceof Problem) return done;
      if (done === null || signal.aborted) {
        return new Problem('overloaded', 'Too many cohorts are being evaluated. Try again soon.');
      }
      const found = done.players.map((sums, at) => cohortPlayer(players[at]?.u ?? '', sums, done));
      return {
        ...{ from: toIso(fromMs), to: toIso(toMs), states: done.periods.length },
        counts: countOutcomes(found),
        players: found,
        next: found.length < players.length ? found.length : null,
      };
    }),
  ];
}

const noPlayers = new TextEncoder().encode('[]');
