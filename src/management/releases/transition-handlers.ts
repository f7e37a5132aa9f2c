/** Transitions of releases that players notice: each is one commit, and the response waits until it is served. */
import type { BodyOf } from '../../contract/operation.js';
import {
  goLive as live,
  pauseRelease,
  resumeRelease,
  revertRelease as revert,
  startRelease,
  stopRelease,
  stopReleases,
} from '../../contract/operations/releases/transitions.js';
import { Problem } from '../../contract/problems.js';
import type { Release } from '../../contract/schemas/release.js';
import { confirmRequestOf } from '../guards/confirmation.js';
import { commit } from '../http/commit.js';
import { type Call, type Handler, handle } from '../http/handlers.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { holdEnvironment } from '../store/environments.js';
import { listReleasesIn, rampStates } from '../store/releases/releases.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import {
  type CheckedRelease,
  checkAgain,
  checkedWrite,
  rejectBrake,
  rejectState,
} from './check-release.js';
import { goLive } from './go-live.js';
import { type HeldRelease, holdRelease, readRelease } from './held-release.js';
import { pauseRamp, resumeRamp, startRamp, stopRamp } from './ramp.js';
import { releaseJson } from './release-json.js';
import { revertRelease } from './revert.js';
import type { Transition } from './states.js';
import { stopReason } from './stop-reason.js';
import type { Transited } from './transition.js';

export const releaseTransitionHandlers: readonly Handler[] = [
  handle(startRelease, (call) =>
    checkedTransition(call, call.body.ifVersion, 'start', (write, held, checked) =>
      startRamp(write, held, checked, '', confirmRequestOf(call.body, call.query)),
    ),
  ),

  handle(pauseRelease, (call) =>
    transition(call, undefined, (write, held) => pauseRamp(write, held, call.body.reason)),
  ),

  handle(resumeRelease, (call) =>
    transition(call, call.body.ifVersion, async (write, held) => {
      const { hasPrometheus } = call.context;
      return (
        rejectState(held, 'resume') ??
        rejectBrake(held.release, hasPrometheus) ??
        resumeRamp(write, held)
      );
    }),
  ),

  handle(stopRelease, (call) => {
    const reason = stopReason(call.body);
    if (reason === null) return shownAsItIs(call);
    return transition(call, undefined, (write, held) => stopRamp(write, held, reason));
  }),

  handle(stopReleases, async (call) => {
    const { params, context, request } = call;
    const reason = stopReason(call.body);
    const { value, sequence } = await commit(context, request, (write) =>
      stopAll(write, params.env, reason),
    );
    return value instanceof Problem ? value : { stopped: value, sequence };
  }),

  handle(live, (call) => {
    const { ifVersion, emergency } = call.body;
    const reason = emergency?.reason ?? null;
    const checkedFor = reason === null ? 'live' : 'emergency';
    return checkedTransition(call, ifVersion, checkedFor, (write, held, checked) =>
      goLive(write, held, checked, {
        ...confirmRequestOf(call.body, call.query),
        ...{ text: '', emergency: reason },
      }),
    );
  }),

  handle(revert, (call) =>
    transition(call, undefined, (write, held) => revertRelease(write, held, revertOf(call.body))),
  ),
];

type ReleaseCall = Pick<Call<typeof pauseRelease>, 'params' | 'context' | 'request'>;

interface Moved {
  readonly release: Release;
  readonly sequence: number;
}

function revertOf({ reason, force, emergency }: BodyOf<typeof revert>) {
  return { reason, force, emergency: emergency?.reason ?? null };
}

async function transition(
  { params: { env, release }, context, request }: ReleaseCall,
  ifVersion: number | undefined,
  act: (write: UnitOfWork, held: HeldRelease) => Promise<Transited | Problem>,
): Promise<(Release & { readonly sequence: number }) | Problem> {
  const { value, sequence } = await commit(context, request, async (write) => {
    const held = await holdRelease(write, { environment: env, release, ifVersion });
    if (held instanceof Problem) return held;
    const done = await act(write, held);
    return done instanceof Problem ? done : releaseJson(write.db, done.release, write.at);
  });
  return value instanceof Problem ? value : { ...value, sequence };
}

/** The same for a transition that delivers something new: all of the release is checked ahead of the transaction. */
async function checkedTransition(
  { params: { env, release }, context, request }: ReleaseCall,
  ifVersion: number | undefined,
  checkedFor: Transition,
  act: (
    write: UnitOfWork,
    held: HeldRelease,
    checked: CheckedRelease,
  ) => Promise<Transited | Problem | typeof checkAgain>,
): Promise<(Release & { readonly sequence: number }) | Problem> {
  const asked = { environment: env, release, ifVersion };
  const moved = await checkedWrite<Moved>(context, asked, checkedFor, async (checked) => {
    const { value, sequence } = await commit(context, request, async (write) => {
      const held = await holdRelease(write, asked);
      if (held instanceof Problem) return held;
      const done = await act(write, held, checked);
      if (done instanceof Problem || done === checkAgain) return done;
      return releaseJson(write.db, done.release, write.at);
    });
    if (value instanceof Problem || value === checkAgain) return value;
    return { release: value, sequence };
  });
  return moved instanceof Problem ? moved : { ...moved.release, sequence: moved.sequence };
}

/** An alert that is over stops nothing. */
async function shownAsItIs({
  params: { env, release },
  context: { store, now },
}: ReleaseCall): Promise<(Release & { readonly sequence: number }) | Problem> {
  const shown = await store.read(async (db) => {
    const read = await readRelease(db, { environment: env, release });
    return read instanceof Problem ? read : releaseJson(db, read.release, now());
  });
  if (shown instanceof Problem) return shown;
  return { ...shown, sequence: await store.sequence() };
}

/** @param reason null: stop nothing */
async function stopAll(
  write: UnitOfWork,
  environment: string,
  reason: string | null,
): Promise<number[] | Problem> {
  if ((await holdEnvironment(write, environment)) === null) return environmentUnknown(environment);
  if (reason === null) return [];
  const stopped: number[] = [];
  for (const { release } of await listReleasesIn(write.db, environment, rampStates)) {
    const held = await readRelease(write.db, { environment, release });
    const done = held instanceof Problem ? held : await stopRamp(write, held, reason);
    if (done instanceof Problem) return done;
    stopped.push(release);
  }
  return stopped;
}
