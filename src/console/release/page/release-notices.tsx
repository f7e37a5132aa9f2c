/** Notices above a release: why it was stopped, paused or failed, and what keeps it from going on. */
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Release } from '../../../contract/schemas/release.js';
import { pathOf } from '../../parts/environments.js';
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

const readableTitle = { title: { color: 'var(--mantine-color-text)' } } as const;

export function ReleaseNotices({ env, release }: ReleaseNoticesProps) {
  const { state, reason, emergency, overlaps } = release;
  const notices = [
    reason !== '' && (
      <Alert
        key="reason"
        color={stateColours[state]}
        variant="light"
        styles={readableTitle}
        icon={<IconInfoCircle aria-hidden />}
        title={stateLabels[state]}
      >
        {reason}
      </Alert>
    ),
    emergency !== null && (
      <Alert
        key="emergency"
        color="red"
        variant="light"
        styles={readableTitle}
        icon={<IconAlertTriangle aria-hidden />}
        title="An owner went live without approval"
      >
        {emergency}
      </Alert>
    ),
    overlaps.length > 0 && (isEditable(state) || isActive(state)) && (
      <Alert
        key="overlaps"
        color="orange"
        variant="light"
        styles={readableTitle}
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
      </Alert>
    ),
  ].filter((notice) => notice !== false);
  if (notices.length === 0) return null;
  return (
    <Stack gap="xs" role="status" aria-label="Notices">
      {notices}
    </Stack>
  );
}
