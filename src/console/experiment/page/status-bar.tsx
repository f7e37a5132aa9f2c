/** Where an experiment stands: the days, what the data say so far in a sentence, and what can be done now. */
import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Lead } from '../../../contract/results/lead.js';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import { request } from '../../api/call.js';
import { useExperimentAct } from '../../experiments/experiment-queries.js';
import { dayOfRun, runText } from '../../experiments/words/days.js';
import { describeDecision } from '../../experiments/words/decision-words.js';
import { unbroken } from '../../experiments/words/unbroken.js';
import {
  IconFlag,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
} from '../../icons/icons.js';
import { ActionMenu, type MenuAction } from '../../parts/data/action-menu.js';
import { pathOf } from '../../parts/environments.js';
import { askToConfirm } from '../../parts/form/ask-to-confirm.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { DecideDialog } from '../acts/decide-dialog.js';
import { PlanDialog } from '../acts/plan-dialog.js';
import { StartDialog } from '../acts/start-dialog.js';
import { StopDialog } from '../acts/stop-dialog.js';

export interface StatusBarProps {
  readonly env: string;
  readonly experiment: Experiment;
  /** Null: not known (yet). */
  readonly lead: Lead | null;
  /** Why the user may change nothing; null: they may. */
  readonly readOnlyReason: string | null;
}

type Asked = 'start' | 'stop' | 'decide' | 'plan';

export function StatusBar({ env, experiment, lead, readOnlyReason }: StatusBarProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const dialog = { env, experiment, onClose: () => setAsked(null) };
  const { state, plannedDays } = experiment;
  const day = dayOfRun(experiment, Date.now());
  return (
    <Paper withBorder p="md" component="section" aria-label="Status">
      <Group justify="space-between" gap="md" align="flex-start">
        <Stack gap={6} style={{ flex: '1 1 20rem' }}>
          <Text fw={600}>{unbroken(leadText(experiment, lead))}</Text>
          {state !== 'draft' && (
            <Group gap="sm">
              <Progress
                value={Math.min(100, (day / plannedDays) * 100)}
                w={160}
                aria-label="Days of the plan"
              />
              <Text size="sm">{runText(experiment, Date.now())}</Text>
            </Group>
          )}
          {readOnlyReason !== null && (
            <Text size="sm" c="dimmed">
              {readOnlyReason}
            </Text>
          )}
        </Stack>
        {readOnlyReason === null && <Acts {...{ env, experiment, lead }} onAsk={setAsked} />}
      </Group>
      {asked === 'start' && <StartDialog {...dialog} />}
      {asked === 'stop' && <StopDialog {...dialog} />}
      {asked === 'plan' && <PlanDialog {...dialog} />}
      {asked === 'decide' && <DecideDialog {...dialog} lead={lead} />}
    </Paper>
  );
}

function leadText({ state, phase, decision }: Experiment, lead: Lead | null): string {
  if (state === 'draft') {
    return 'Not started. Players get what the rule gives them; nothing is counted yet.';
  }
  if (decision !== null) return describeDecision(decision);
  if (lead === null) return 'The result is being computed.';
  return phase > 1 ? `Phase ${phase}. ${lead.text}` : lead.text;
}

interface ActsProps extends Omit<StatusBarProps, 'readOnlyReason'> {
  readonly onAsk: (asked: Asked) => void;
}

function Acts({ env, experiment, lead, onAsk }: ActsProps) {
  const { id, name, state } = experiment;
  const [, go] = useLocation();
  const removing = useExperimentAct(env, () => go(pathOf.experiments(env)));
  const remove = (): void =>
    askToConfirm({
      title: `Delete ${name}?`,
      text: 'It was never started, so no data are lost. The rule stays as it is.',
      confirm: 'Delete',
      color: 'red',
      onConfirm: () =>
        removing.mutate(() =>
          request('DELETE /environments/:env/experiments/:id', { params: { env, id } }),
        ),
    });
  const edit: MenuAction = { label: 'Edit plan…', icon: IconPencil, onClick: () => onAsk('plan') };
  const drop: MenuAction = { label: 'Delete…', icon: IconTrash, color: 'red', onClick: remove };
  // Before the data say something, no button asks for a decision.
  const isClear = lead?.kind === 'better' || lead?.kind === 'worse';
  if (state === 'decided') return null;
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs">
        {state === 'running' ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            onClick={() => onAsk('stop')}
          >
            Stop…
          </Button>
        ) : (
          <Button
            variant={state === 'draft' ? 'filled' : 'default'}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            onClick={() => onAsk('start')}
          >
            {state === 'draft' ? 'Start…' : 'Start again…'}
          </Button>
        )}
        {state !== 'draft' && (
          <Button
            variant={isClear ? 'filled' : 'default'}
            leftSection={<IconFlag size={16} aria-hidden />}
            onClick={() => onAsk('decide')}
          >
            Decide…
          </Button>
        )}
        <ActionMenu
          label={`More actions for ${name}`}
          groups={[{ actions: [edit] }, { actions: state === 'draft' ? [drop] : [] }]}
        />
      </Group>
      {removing.error !== null && <ProblemAlert error={removing.error} />}
    </Stack>
  );
}
