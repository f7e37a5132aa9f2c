/** Shows the envelope of a saved revision, or of unsaved edits. */
import {
  computeEnvelope,
  type Envelope,
  showEnvelope,
} from '../../contract/operations/envelope.js';
import { Problem } from '../../contract/problems.js';
import type { StateTexts } from '../guards/find-findings.js';
import { stateWeight } from '../guards/state-weight.js';
import type { AdminContext } from '../http/context.js';
import { type Handler, handle } from '../http/handlers.js';
import { doWork, WorkTooLong } from '../jobs/work.js';
import type { Db } from '../store/dialect.js';
import { readCandidate } from './candidate-body.js';
import { type CandidateRequest, type LoadedCandidate, loadCandidate } from './load-candidate.js';
import { type ReleaseView, readReleaseView } from './release-view.js';

export const envelopeHandlers: readonly Handler[] = [
  handle(showEnvelope, ({ params: { env, id }, query, context }) =>
    respond(context, {
      ...{ environment: env, id, edit: null, past: null },
      ...{ revision: query.revision ?? 'newest', release: null },
    }),
  ),

  handle(computeEnvelope, async ({ params: { env }, body, context, request }) => {
    const raw = request.rawBody ?? new Uint8Array();
    const tried = await readCandidate(body, raw, context.limits);
    if (tried instanceof Problem) return tried;
    return respond(context, { environment: env, id: body.id, ...tried, past: null });
  }),
];

/** A request, with the number of the release. */
type Tried = Omit<CandidateRequest, 'release'> & { readonly release: number | null };

async function respond(
  { store, work, limits }: Pick<AdminContext, 'store' | 'work' | 'limits'>,
  tried: Tried,
): Promise<Envelope | Problem> {
  const read = await store.read((db) => load(db, tried));
  if (read instanceof Problem) return read;
  const { loaded, live } = read;
  const { candidate, segments, layers, id, revision } = loaded;
  const base = { live, dayAgo: null, guards: [] };
  const input = { candidate, segments, layers, ...base, levelsMax: limits.textLevelsMax };
  const weight = stateWeight(candidate) + (live === null ? 0 : stateWeight(live));
  try {
    const done = await doWork(work, 'describeEnvelope', input, weight);
    if (!done.ok) return new Problem(done.code, done.detail, done.errors);
    const { lines, findings } = done;
    return { id, revision, live: loaded.live, lines, findings };
  } catch (error) {
    if (!(error instanceof WorkTooLong)) throw error;
    return new Problem('too_costly', `The envelope of "${id}" takes too long to compute.`);
  }
}

/** Both sides in one transaction, so that they are of the same moment. */
async function load(
  db: Db,
  tried: Tried,
): Promise<{ loaded: LoadedCandidate; live: StateTexts | null } | Problem> {
  const { environment, id } = tried;
  const release: ReleaseView | null | Problem =
    tried.release === null ? null : await readReleaseView(db, environment, tried.release);
  if (release instanceof Problem) return release;
  const loaded = await loadCandidate(db, { ...tried, release }, 'all');
  if (loaded instanceof Problem || loaded.live === null) {
    return loaded instanceof Problem ? loaded : { loaded, live: null };
  }
  const request = { environment, id, revision: null, edit: null, release: null, past: null };
  const live = await loadCandidate(db, request, 'all');
  return live instanceof Problem ? live : { loaded, live: live.candidate };
}
