/** Evaluates players of a cohort in short tasks of a worker, until the time of a page is over or the client has gone. */
import { randomUUID } from 'node:crypto';
import { Problem } from '../../../contract/problems.js';
import type { LoadedCandidate } from '../../evaluation/load-candidate.js';
import type { Work } from '../../jobs/work.js';
import { cohortTextBytesMax } from '../../limits/evaluation.js';
import { EventLoopYielder } from '../../store/event-loop-yielder.js';
import type { Store } from '../../store/store.js';
import {
  type CohortState,
  type EvaluateCohort,
  joinSums,
  type PlayerSums,
} from './evaluate-cohort.js';
import { type CohortPlan, type CohortRange, loadState } from './plan-periods.js';

export interface CohortPage extends CohortRange, CohortPlan {
  readonly path: string;
  readonly equals: Uint8Array | null;
  readonly players: Uint8Array;
  /** How many of the players are wanted. */
  readonly count: number;
}

export interface CohortDeps {
  readonly store: Pick<Store, 'read'>;
  readonly work: Pick<Work, 'run'>;
  readonly levelsMax: number;
  /** Milliseconds after the states are read, at which no further task begins, and after which a task ends. */
  readonly pageMsMax: number;
  readonly taskMsMax: number;
  /** Aborts when nobody waits for the page. */
  readonly signal: AbortSignal;
}

/** What is said about a state. */
export interface StateAbout {
  readonly revision: number | null;
  /** Why it is not known; null: it is. */
  readonly detail: string | null;
}

export interface DonePage {
  /** Of the first players: at least one, unless nobody waits. */
  readonly players: readonly PlayerSums[];
  readonly about: ReadonlyMap<number, StateAbout>;
}

interface Batch {
  /** Unlike that of any other. */
  readonly key: string;
  readonly states: readonly CohortState[];
  readonly isLast: boolean;
}

export async function evaluatePage(deps: CohortDeps, page: CohortPage): Promise<DonePage> {
  const { work, levelsMax, taskMsMax, signal } = deps;
  const { periods, path, equals, players, count } = page;
  // From the first task on: each page reads the states anew, which must not be all that it does.
  let endMs = Number.POSITIVE_INFINITY;
  const about = new Map<number, StateAbout>();
  const done: PlayerSums[] = [];
  // Where all states go into one task they are loaded once.
  let only: Batch | null = null;
  while (done.length < count && !signal.aborted) {
    const from = done.length;
    let sums: PlayerSums[] | null = null;
    const batches: AsyncIterable<Batch> | readonly Batch[] =
      only === null ? batchesOf(deps, page, about) : [only];
    for await (const batch of batches) {
      if (signal.aborted) break;
      endMs = Math.min(endMs, performance.now() + deps.pageMsMax);
      if (sums === null && batch.isLast) only = batch;
      const until: number = sums === null ? count : from + sums.length;
      const { key, states } = batch;
      const range = { from, until, msMax: taskMsMax, levelsMax };
      const input: EvaluateCohort = { key, periods, states, path, equals, players, ...range };
      const found: PlayerSums[] = await work.run('evaluateCohort', input);
      sums = joinLists(sums, found);
    }
    if (signal.aborted) break;
    done.push(...(sums ?? []));
    if (performance.now() >= endMs) break;
  }
  return { players: done, about };
}

/** Sums of as many players as both lists have. */
function joinLists(known: readonly PlayerSums[] | null, found: PlayerSums[]): PlayerSums[] {
  if (known === null) return found;
  return found.map((one, at) => joinSums(known[at] ?? one, one));
}

/** The states, in as many parts as their texts need. */
async function* batchesOf(
  { store }: CohortDeps,
  page: CohortPage,
  about: Map<number, StateAbout>,
): AsyncGenerator<Batch> {
  const pace = new EventLoopYielder();
  let states: CohortState[] = page.states.map(() => null);
  let bytesLeft = cohortTextBytesMax;
  for (const [number, source] of page.states.entries()) {
    const loaded = await loadState(store, page, source);
    await pace.step();
    const bytes = loaded === null || loaded instanceof Problem ? 0 : bytesOf(loaded);
    if (bytes > bytesLeft && bytesLeft < cohortTextBytesMax) {
      yield { key: randomUUID(), states, isLast: false };
      states = page.states.map(() => null);
      bytesLeft = cohortTextBytesMax;
    }
    bytesLeft -= bytes;
    states[number] = stateOf(loaded);
    about.set(number, {
      revision: loaded === null || loaded instanceof Problem ? null : loaded.revision,
      detail: loaded instanceof Problem ? loaded.detail : null,
    });
  }
  yield { key: randomUUID(), states, isLast: true };
}

/** @param loaded null: nothing was live */
export function stateOf(loaded: LoadedCandidate | Problem | null): CohortState {
  if (loaded === null) return 'none';
  if (loaded instanceof Problem) return 'not_known';
  const { candidate, segments, layers } = loaded;
  return { candidate, segments, layers };
}

function bytesOf({ candidate, segments }: LoadedCandidate): number {
  const texts = candidate.lines.reduce((sum, { text }) => sum + text.byteLength, 0);
  const conditions = segments.reduce((sum, { condition }) => sum + condition.length, 0);
  return texts + conditions + (candidate.mapping?.byteLength ?? 0);
}
