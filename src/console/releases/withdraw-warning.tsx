/** Says that an edit withdraws what people have decided about a release. */
import { Alert } from '@mantine/core';
import type { ReleaseState } from '../../contract/schemas/release.js';
import { IconAlertTriangle } from '../icons/icons.js';
import { isDecided, stateLabels } from './words/release-states.js';

export function WithdrawWarning({ state }: { readonly state: ReleaseState }) {
  if (!isDecided(state)) return null;
  return (
    <Alert color="orange" variant="light" p="xs" icon={<IconAlertTriangle aria-hidden />}>
      The release is {stateLabels[state].toLowerCase()}. This makes it a draft again, without
      approvals or schedule.
    </Alert>
  );
}
