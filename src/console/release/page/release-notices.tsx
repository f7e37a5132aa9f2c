/** Notices above a release: why it was stopped, paused or failed, and what keeps it from going on. */
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Release } from '../../../contract/schemas/release.js';
import { IconAlertTriangle, IconInfoCircle } from '../../icons/icons.js';
import { pathOf } from '../../parts/environments.js';
import { TitledAlert } from '../../parts/titled-alert.js';
import {
  isActive,
  isEditable,
  stateColours,
  stateLabels,
} from '../../releases/words/release-states.js';

export interface ReleaseNoticesProps {
  readonly env: string;
  readonly release: Release;
}

export function ReleaseNotices({ env, release }: ReleaseNoticesProps) {
  const { state, reason, emergency, overlaps } = release;
  const notices = [
    reason !== '' && (
      <TitledAlert
        key="reason"
        color={stateColours[state]}
        icon={<IconInfoCircle aria-hidden />}
        title={stateLabels[state]}
      >
        {reason}
      </TitledAlert>
    ),
    emergency !== null && (
      <TitledAlert
        key="emergency"
        color="red"
        icon={<IconAlertTriangle aria-hidden />}
        title="An owner went live without approval"
      >
        {emergency}
      </TitledAlert>
    ),
    overlaps.length > 0 && (isEditable(state) || isActive(state)) && (
      <TitledAlert
        key="overlaps"
        color="orange"
        icon={<IconAlertTriangle aria-hidden />}
        title="Another release ramps now and reaches the same"
      >
        <Text size="sm">
          This one can start when{' '}
          {overlaps.map((number, place) => (
            <span key={number}>
              {place > 0 && ', '}
              <Anchor component={Link} href={pathOf.release(env, number)} size="sm">
                #{number}
              </Anchor>
            </span>
          ))}{' '}
          is live or stopped.
        </Text>
      </TitledAlert>
    ),
  ].filter((notice) => notice !== false);
  if (notices.length === 0) return null;
  return (
    <Stack gap="xs" role="status" aria-label="Notices">
      {notices}
    </Stack>
  );
}
