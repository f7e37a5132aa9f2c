/** The commands that lead on after a problem, whose detail names none: the admin API has other clients, too. */

import type { ProblemCode } from '../../contract/problems.js';

const steps: ReadonlyMap<string | undefined, string> = new Map<ProblemCode, string>([
  [
    'approvals_missing',
    '`loadout release show` lists the approvals; reviewers give them with `loadout release approve`.',
  ],
  [
    'confirmation_required',
    'Look at these values; `--confirm` with the digest publishes them, `--yes` without a question.',
  ],
  ['content_not_found', '`loadout content list` lists those that there are.'],
  ['environment_not_found', '`loadout env list` lists those that there are.'],
  ['experiment_not_found', '`loadout experiment list` lists those that there are.'],
  ['metric_not_found', '`loadout metric list` lists those that there are.'],
  ['release_active', '`loadout release show` shows that release, `loadout release stop` ends it.'],
  [
    'release_changed',
    '`loadout release show` and `loadout release diff` show the release as it is now.',
  ],
  [
    'release_conflict',
    '`loadout release diff` compares. `loadout release rebase` accepts what is live, `loadout release remove` drops the change; `loadout release revert` takes `--force`.',
  ],
  ['release_not_found', '`loadout release list` lists those that there are.'],
  [
    'release_required',
    'Save a draft (`--draft`), and add it to a release with `loadout release add`; `loadout content put --add-to-release` does both, `loadout sync --release` for a whole environment, and for a file that another environment has imported. `loadout release create` makes a release.',
  ],
  ['segment_not_found', '`loadout segment list` lists those that there are.'],
  ['webhook_not_found', '`loadout webhook list` lists those that there are.'],
]);

/** A sentence; null: the detail says enough, or the code is of a later server. */
export function nextStepAfter(code: string | undefined): string | null {
  return steps.get(code) ?? null;
}
