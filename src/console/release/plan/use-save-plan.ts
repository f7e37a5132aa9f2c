/** Saves steps or brake of a release. Both withdraw approvals. */
import { useState } from 'react';
import type { Release, ReleaseBrake, ReleaseStep } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { notifyDone } from '../../parts/notify.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { isDecided } from '../../releases/words/release-states.js';

export interface Plan {
  readonly steps?: readonly ReleaseStep[];
  readonly brake?: ReleaseBrake | null;
}

export function useSavePlan(env: string, release: Release, onSaved: () => void) {
  // The form shows the release as it was when it opened: what others save meanwhile is not overwritten.
  const [{ version }] = useState(release);
  const saving = useReleaseAct(env, () => {
    notifyDone(isDecided(release.state) ? 'Saved. It is a draft again.' : 'Saved.');
    onSaved();
  });
  return {
    ...saving,
    save: (plan: Plan): void =>
      saving.mutate({
        number: release.release,
        send: (params) =>
          request('PATCH /environments/:env/releases/:release', {
            params,
            body: { ...plan, ifVersion: version },
          }),
      }),
  };
}
