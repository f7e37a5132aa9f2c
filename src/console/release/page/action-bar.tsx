/** What happens next, and the buttons of what can be done now; the rare ones are in a menu. */
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Release } from '../../../contract/schemas/release.js';
import {
  IconAlarm,
  IconAlarmOff,
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleX,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRocket,
  IconSend,
} from '../../icons/icons.js';
import { ActionMenu } from '../../parts/data/action-menu.js';
import { useGuard } from '../../parts/guard.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { formatZoned } from '../../parts/time/zoned.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { useReleaseReadOnlyReason } from '../../releases/release-rights.js';
import { isActive } from '../../releases/words/release-states.js';
import { useSession } from '../../session/session.js';
import type { AskedAct } from '../words/act-words.js';
import { type ActionName, actionsOf, type ReleaseAction } from '../words/release-actions.js';
import { whatNext } from '../words/what-next.js';
import { ActDialog } from './act-dialog.js';
import { sendAct } from './act-requests.js';
import { Countdown } from './countdown.js';
import { RevertDialog } from './revert-dialog.js';
import { ScheduleDialog } from './schedule-dialog.js';

const icons: Readonly<Record<ActionName, typeof IconRocket>> = {
  submit: IconSend,
  start: IconPlayerPlay,
  live: IconRocket,
  schedule: IconAlarm,
  unschedule: IconAlarmOff,
  pause: IconPlayerPause,
  resume: IconPlayerPlay,
  stop: IconPlayerStop,
  revert: IconArrowBackUp,
  cancel: IconCircleX,
  emergency: IconAlertTriangle,
};

const rare: ReadonlySet<ActionName> = new Set(['cancel', 'emergency', 'unschedule']);

export interface ActionBarProps {
  readonly env: string;
  readonly release: Release;
}

export function ActionBar({ env, release }: ActionBarProps) {
  const { role } = useSession();
  const readOnlyReason = useReleaseReadOnlyReason();
  const [asked, setAsked] = useState<AskedAct | 'schedule' | null>(null);
  const direct = useReleaseAct(env);
  const next = whatNext(release);
  const { isProtected } = useGuard(env);
  const actions = actionsOf(release, { readOnlyReason, isOwner: role === 'owner', isProtected });
  const act = (name: ActionName): void => {
    direct.reset();
    // Where nothing is protected, going on asks as little as it did to pause.
    if (name === 'pause' || name === 'unschedule' || (name === 'resume' && !isProtected)) {
      const number = release.release;
      direct.mutate({ number, send: (params) => sendAct(name, release, params, { text: '' }) });
    } else setAsked(name);
  };
  const buttons = actions.filter(({ name }) => !rare.has(name));
  const reason = buttons.find((action) => action.reason !== null)?.reason ?? null;
  const close = (): void => setAsked(null);
  if (next === null && actions.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label="Next step">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <Text component="div" style={{ flex: '1 1 16rem' }}>
            {next !== null && next.at === null && next.text}
            {next !== null && next.at !== null && (
              <>
                {next.text} <Countdown at={next.at} />
                <Text size="sm" c="dimmed">
                  {formatZoned(next.at)}
                </Text>
              </>
            )}
          </Text>
          <Group gap="xs">
            {buttons.map((action, place) => (
              <ActButton
                key={action.name}
                action={action}
                isPrimary={place === 0}
                isLarge={isActive(release.state)}
                env={env}
                isPending={direct.isPending}
                onClick={() => act(action.name)}
              />
            ))}
            <RareActions actions={actions.filter(({ name }) => rare.has(name))} onAct={act} />
          </Group>
        </Group>
        {reason !== null && (
          <Text size="sm" id="release-blocked" role="status">
            {reason}
          </Text>
        )}
        {direct.error !== null && <ProblemAlert error={direct.error} />}
      </Stack>
      {asked === 'schedule' && <ScheduleDialog {...{ env, release }} onClose={close} />}
      {asked === 'revert' && <RevertDialog {...{ env, release }} onClose={close} />}
      {asked !== null && asked !== 'schedule' && asked !== 'revert' && (
        <ActDialog {...{ env, release }} act={asked} onClose={close} />
      )}
    </Paper>
  );
}

interface RareActionsProps {
  readonly actions: readonly ReleaseAction[];
  readonly onAct: (name: ActionName) => void;
}

function RareActions({ actions, onAct }: RareActionsProps) {
  if (actions.length === 0) return null;
  const items = actions.map(({ name, label, reason }) => ({
    label: name === 'unschedule' ? label : `${label}…`,
    icon: icons[name],
    isDisabled: reason !== null,
    ...(name !== 'unschedule' && { color: 'red' }),
    onClick: () => onAct(name),
  }));
  return <ActionMenu label="More actions for this release" groups={[{ actions: items }]} />;
}

interface ActButtonProps {
  readonly action: ReleaseAction;
  readonly isPrimary: boolean;
  readonly isLarge: boolean;
  readonly env: string;
  readonly isPending: boolean;
  readonly onClick: () => void;
}

function ActButton(props: ActButtonProps) {
  const { action, isPrimary, isLarge, env, isPending, onClick } = props;
  const { name, label, reason } = action;
  const guard = useGuard(env);
  const Icon = icons[name];
  const isStop = name === 'stop' || name === 'revert';
  const asks = name !== 'pause' && (name !== 'resume' || guard.isProtected);
  return (
    <Button
      size={isLarge ? 'lg' : 'sm'}
      variant={isPrimary || isStop ? 'filled' : 'default'}
      color={
        isStop
          ? 'red'
          : name === 'start' || name === 'live' || name === 'resume'
            ? guard.color
            : undefined
      }
      leftSection={<Icon size={isLarge ? 22 : 16} aria-hidden />}
      disabled={reason !== null}
      aria-describedby={reason === null ? undefined : 'release-blocked'}
      loading={!asks && isPending}
      onClick={onClick}
    >
      {asks ? `${label}…` : label}
    </Button>
  );
}
