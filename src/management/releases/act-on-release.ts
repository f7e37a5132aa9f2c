/** How a request acts on a release: the release is held, something is done to it, and the response shows it as it is then. */
import { Problem } from '../../contract/problems.js';
import type { Release } from '../../contract/schemas/release.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { checkAgain } from './check-release.js';
import { type HeldRelease, holdRelease, type ReleaseRequest } from './held-release.js';
import { releaseJson } from './release-json.js';
import type { Transited } from './transition.js';

type Done = ReleaseRecord | Transited | Problem;

export function actOnRelease(
  write: UnitOfWork,
  request: ReleaseRequest,
  act: (held: HeldRelease) => Promise<Done>,
): Promise<Release | Problem>;
/** The same for what was checked ahead of the transaction, see `checkedWrite`. */
export function actOnRelease(
  write: UnitOfWork,
  request: ReleaseRequest,
  act: (held: HeldRelease) => Promise<Done | typeof checkAgain>,
): Promise<Release | Problem | typeof checkAgain>;
export async function actOnRelease(
  write: UnitOfWork,
  request: ReleaseRequest,
  act: (held: HeldRelease) => Promise<Done | typeof checkAgain>,
): Promise<Release | Problem | typeof checkAgain> {
  const held = await holdRelease(write, request);
  if (held instanceof Problem) return held;
  const done = await act(held);
  if (done instanceof Problem || done === checkAgain) return done;
  return releaseJson(write.db, 'auditId' in done ? done.release : done, write.at);
}
