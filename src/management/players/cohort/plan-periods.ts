/** The states that a content item had between two times: periods in which nothing but windows changed, each with its states. */
import { contentKey } from '../../../content/content-id.js';
import { Problem } from '../../../contract/problems.js';
import { contentUnknown } from '../../contents/unknown-content.js';
import { type LoadedCandidate, loadCandidate } from '../../evaluation/load-candidate.js';
import { Moment, type RampThen } from '../../evaluation/moment.js';
import type { ReleaseView } from '../../evaluation/release-view.js';
import { cohortMomentsMax } from '../../limits/evaluation.js';
import { type ContentRecord, findContent } from '../../store/contents/contents.js';
import { listPublicationTimes } from '../../store/contents/publications.js';
import type { Db } from '../../store/dialect.js';
import { environmentUnknown } from '../../store/edit-environment.js';
import { findEnvironment } from '../../store/environments.js';
import { EventLoopYielder } from '../../store/event-loop-yielder.js';
import { listLayerTimes } from '../../store/layers/layer-history.js';
import { listRampTimes } from '../../store/releases/ramp-history.js';
import { listSegmentTimes } from '../../store/segments/segment-publications.js';
import type { Store } from '../../store/store.js';
import type { CohortPeriod } from './walk-periods.js';

/** Times in milliseconds since the epoch. */
export interface CohortRange {
  readonly environment: string;
  readonly id: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** Where a state is found. */
export interface StateSource {
  readonly moment: Moment;
  /** What a ramp brings, or why that is not known; null: what was live. */
  readonly release: ReleaseView | Problem | null;
}

export interface CohortPlan {
  readonly periods: readonly CohortPeriod[];
  /** By the numbers that periods name. */
  readonly states: readonly StateSource[];
}

/** @returns a problem where there is no such content item, or it changed too often */
export async function planPeriods(
  store: Pick<Store, 'read'>,
  range: CohortRange,
): Promise<CohortPlan | Problem> {
  const found = await store.read((db) => listChanges(db, range));
  if (found instanceof Problem) return found;
  const { states: changed, ramps: moved } = found;
  const starts = [...new Set([range.fromMs, ...changed, ...moved])].sort((a, b) => a - b);
  if (starts.length > cohortMomentsMax) {
    const detail = `"${range.id}" changed ${starts.length} times in this period; the limit is ${cohortMomentsMax}. Choose a shorter period.`;
    return new Problem('too_costly', detail);
  }
  const pace = new EventLoopYielder();
  const states: StateSource[] = [];
  const periods: CohortPeriod[] = [];
  let numbers = new Map<string, number>();
  let ramps: readonly RampThen[] = [];
  for (const [at, fromMs] of starts.entries()) {
    const moment = new Moment(range.environment, fromMs);
    if (changed.has(fromMs)) numbers = new Map();
    if (at === 0 || moved.has(fromMs)) {
      ramps = await store.read((db) => moment.rampsReaching(db, range.id));
      await pace.step();
    }
    const numberOf = (key: string, release: StateSource['release']): number => {
      const number = numbers.get(key) ?? states.push({ moment, release }) - 1;
      numbers.set(key, number);
      return number;
    };
    periods.push({
      fromMs,
      untilMs: starts[at + 1] ?? range.toMs,
      live: numberOf('live', null),
      ramps: ramps.map(({ salt, permille, release, startedAtMs, view }) => {
        return { salt, permille, state: numberOf(`${release} ${startedAtMs}`, view) };
      }),
    });
  }
  return { periods, states };
}

/** When the states of a content item changed, and when ramps did. */
async function listChanges(
  db: Db,
  { environment, id, fromMs, toMs }: CohortRange,
): Promise<{ readonly states: Set<number>; readonly ramps: Set<number> } | Problem> {
  if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
  const content: ContentRecord | null = await findContent(db, environment, id);
  if (content === null) return contentUnknown(environment, id);
  const key = { environment, idLower: contentKey(id) };
  const times = [
    // Before it nothing was live; from then on the record may begin later.
    content.createdAtMs,
    ...(await listPublicationTimes(db, key, fromMs, toMs)),
    ...(await listSegmentTimes(db, key, fromMs, toMs)),
    ...(await listLayerTimes(db, environment, fromMs, toMs)),
  ];
  const ramps = await listRampTimes(db, environment, fromMs, toMs);
  const within = (list: readonly number[]) =>
    new Set(list.filter((at) => fromMs < at && at < toMs));
  return { states: within(times), ramps: within(ramps) };
}

/** A state as the store has it: null: nothing was live. */
export async function loadState(
  store: Pick<Store, 'read'>,
  { environment, id }: CohortRange,
  { moment, release }: StateSource,
): Promise<LoadedCandidate | Problem | null> {
  if (release instanceof Problem) return release;
  const wanted = { environment, id, revision: null, edit: null, past: moment, release };
  const loaded = await store.read((db) => loadCandidate(db, wanted, 'all'));
  return loaded instanceof Problem && loaded.code === 'content_not_found' ? null : loaded;
}
