/** Starts an experiment, or a stopped one again: says what that changes, which for players is nothing. */
import { List, Text } from '@mantine/core';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import { request } from '../../api/call.js';
import { useExperimentAct } from '../../experiments/experiment-queries.js';
import { GuardedForm } from '../../parts/acts/guarded-form.js';
import { notifyDone } from '../../parts/notify.js';
import { TitledAlert } from '../../parts/titled-alert.js';

export interface ExperimentDialogProps {
  readonly env: string;
  readonly experiment: Experiment;
  readonly onClose: () => void;
}

export function StartDialog({ env, experiment, onClose }: ExperimentDialogProps) {
  const { id, name, state, plannedDays, primaryMetric } = experiment;
  const starting = useExperimentAct(env, () => {
    notifyDone(`${name} is running.`);
    onClose();
  });
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    starting.mutate(() =>
      request('POST /environments/:env/experiments/:id/start', { params: { env, id }, body: {} }),
    );
  };
  const isAgain = state === 'stopped';
  return (
    <GuardedForm
      {...{ env, act: 'experiment.start' }}
      form={{ submit, isPending: starting.isPending, error: starting.error }}
      title={isAgain ? `Start ${name} again` : `Start ${name}`}
      size="lg"
      onClose={onClose}
      confirm={isAgain ? 'Start a new phase' : 'Start'}
      focus="confirm"
    >
      <Text size="sm">Players get what they already get. From now on:</Text>
      <List size="sm" withPadding>
        <List.Item>Loadout counts the players of each variant.</List.Item>
        <List.Item>
          Seed, buckets, condition and segment of the rule are frozen: a change has to be confirmed
          and begins a new phase.
        </List.Item>
        <List.Item>
          Plan to let it run for {plannedDays} days. You may look at the result as often as you
          like.
        </List.Item>
        {isAgain && (
          <List.Item>Data of the earlier phases are not mixed with the new one.</List.Item>
        )}
      </List>
      {primaryMetric === null && (
        <TitledAlert color="yellow" title="No primary metric" p="xs">
          Without one, nothing decides this experiment. Choose it before you have seen results.
        </TitledAlert>
      )}
    </GuardedForm>
  );
}
