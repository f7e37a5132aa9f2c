/** Stops an experiment: counting ends, the rule stays. */
import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { noteCharsMax } from '../../../contract/limits.js';
import { request } from '../../api/call.js';
import { useExperimentAct } from '../../experiments/experiment-queries.js';
import { GuardedForm } from '../../parts/acts/guarded-form.js';
import { notifyDone } from '../../parts/notify.js';
import type { ExperimentDialogProps } from './start-dialog.js';

export function StopDialog({ env, experiment: { id, name }, onClose }: ExperimentDialogProps) {
  const [note, setNote] = useState('');
  const stopping = useExperimentAct(env, () => {
    notifyDone(`${name} is stopped.`);
    onClose();
  });
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    stopping.mutate(() =>
      request('POST /environments/:env/experiments/:id/stop', {
        params: { env, id },
        body: { note: note.trim() },
      }),
    );
  };
  return (
    <GuardedForm
      {...{ env, act: 'experiment.stop' }}
      form={{ submit, isPending: stopping.isPending, error: stopping.error }}
      title={`Stop ${name}`}
      size="lg"
      onClose={onClose}
      confirm="Stop"
      color="red"
    >
      <Text size="sm">
        No more players are counted. The rule stays live, so players keep their variant until you
        decide. It can be started again, as a new phase.
      </Text>
      <Textarea
        data-autofocus
        label="Reason"
        description="The log shows it."
        autosize
        maxRows={6}
        maxLength={noteCharsMax}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </GuardedForm>
  );
}
