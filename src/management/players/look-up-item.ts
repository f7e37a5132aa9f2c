/** What a player was given of one content item at a moment, in the words of a response. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { digestOf } from '../../content/hash.js';
import { Problem } from '../../contract/problems.js';
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';
import { type LoadedCandidate, loadCandidate } from '../evaluation/load-candidate.js';
import type { Moment } from '../evaluation/moment.js';
import { weightOf } from '../evaluation/weight.js';
import { doWork, type Work } from '../jobs/work.js';
import type { ExperimentThen } from '../store/experiments/experiments-at.js';
import type { Store } from '../store/store.js';

export interface PlayerAtMoment {
  readonly moment: Moment;
  readonly caller: EvaluationContext;
  /** JSON text of `{u, p, v}`, with the attributes as they were sent. */
  readonly context: Uint8Array;
  readonly experiments: readonly ExperimentThen[];
}

export interface LookUpDeps {
  readonly store: Pick<Store, 'read'>;
  readonly work: Work;
  readonly levelsMax: number;
}

export interface LookedUpItem {
  readonly item: Omit<PlayerItem, 'answer'>;
  /** The wrapped response; null: none was delivered. */
  readonly response: Uint8Array | null;
}

export async function lookUpItem(
  { store, work, levelsMax }: LookUpDeps,
  { moment, caller, context, experiments }: PlayerAtMoment,
  id: string,
): Promise<LookedUpItem> {
  const { environment, atMs } = moment;
  const read = await store.read(async (db) => {
    const release = await moment.rampOf(db, id, caller);
    if (release instanceof Problem) return release;
    const wanted = { environment, id, revision: null, edit: null, past: moment, release };
    const loaded = await loadCandidate(db, wanted, caller.version);
    return loaded instanceof Problem ? loaded : { loaded, release: release?.release ?? null };
  });
  if (read instanceof Problem) return { item: missingItem(id, read), response: null };
  const { loaded, release } = read;
  const { candidate, segments, layers } = loaded;
  const input = { candidate, segments, layers, context, atMs, levelsMax };
  const done = await doWork(work, 'evaluateContext', input, weightOf(loaded, context));
  const about = { ...nothing, ...aboutOf(loaded), release };
  if (!done.ok) {
    const detail = done.errors?.[0]?.message ?? done.detail;
    return { item: { ...about, outcome: 'rejected', detail }, response: null };
  }
  const { response, line, hash, rules, lineReason } = done;
  if (response === null) {
    return { item: { ...about, outcome: 'not_delivered', detail: lineReason }, response };
  }
  const variants = rules
    .filter(({ applied }) => applied)
    .map(({ rule, segment, variant }) => {
      const experiment = experiments.find(
        (one) => one.contentLower === loaded.id.toLowerCase() && one.segment === segment,
      );
      return { rule, segment, variant, experiment: experiment?.id ?? null };
    });
  const sums = { digest: digestOf(response), bytes: response.byteLength };
  return {
    item: { ...about, outcome: 'delivered', line, hash, variants, rules, ...sums },
    response,
  };
}

type Nothing = Omit<PlayerItem, 'id' | 'outcome' | 'answer'>;

const nothing: Nothing = {
  ...{ detail: null, revision: null, line: null, hash: null, release: null },
  ...{ segments: [], variants: [], digest: null, bytes: null, rules: [] },
};

function aboutOf({ id, revision, segments }: LoadedCandidate) {
  const named = segments.map(({ name, revision: number }) => ({ name, revision: number }));
  return { id, revision, segments: named };
}

function missingItem(id: string, { code, detail }: Problem): Omit<PlayerItem, 'answer'> {
  const outcome = code === 'content_not_found' ? 'not_delivered' : 'not_known';
  return { id, ...nothing, outcome, detail };
}
