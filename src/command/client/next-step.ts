/** What a person can type after a problem whose detail says only what is wrong: the admin API does not know commands. */

import type { ProblemCode } from '../../contract/problems.js';

const steps: ReadonlyMap<string | undefined, string> = new Map<ProblemCode, string>([
  [
    'approvals_missing',
    '`loadout release show` lists the approvals; people other than its authors give them with `loadout release approve`.',
  ],
  ['release_active', 'Wait until the release is live, or end it with `loadout release stop`.'],
  [
    'release_changed',
    'Look at it again with `loadout release show` and `loadout release diff`, then repeat the command.',
  ],
  [
    'release_conflict',
    'Compare with `loadout release diff`. `loadout release rebase` accepts what is live now as the base, `loadout release remove` drops the change.',
  ],
  [
    'release_required',
    'Save a draft (--draft) and add it to a release: `loadout release create` makes one, `loadout release add` adds to it. `loadout content put --add-to-release` saves and adds.',
  ],
]);

/** A sentence; null: the detail says enough, or the code is of a later server. */
export function nextStepAfter(code: string | undefined): string | null {
  return steps.get(code) ?? null;
}
