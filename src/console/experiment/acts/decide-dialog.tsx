/** Decides an experiment: which variant all its players get, and why. It makes a release; nothing changes before that goes live. */
import { Checkbox, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { noteCharsMax } from '../../../contract/limits.js';
import type { Lead } from '../../../contract/results/lead.js';
import { request } from '../../api/call.js';
import { useExperimentAct } from '../../experiments/experiment-queries.js';
import { GuardedForm } from '../../parts/acts/guarded-form.js';
import { notifyDone } from '../../parts/notify.js';
import { TitledAlert } from '../../parts/titled-alert.js';
import type { ExperimentDialogProps } from './start-dialog.js';

export interface DecideDialogProps extends ExperimentDialogProps {
  /** Null: the result is not known. */
  readonly lead: Lead | null;
}

/** No name of a variant: names have a character. */
const none = '';

export function DecideDialog({ env, experiment, lead, onClose }: DecideDialogProps) {
  const { id, name, state, variants, control } = experiment;
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const [keepRule, setKeepRule] = useState(false);
  const deciding = useExperimentAct(env, ({ release }: { readonly release: number | null }) => {
    notifyDone(
      release === null
        ? `${name} is decided.`
        : `Release #${release} is a draft: players get the change when you make it live.`,
    );
    onClose();
  });
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (chosen === null) return;
    const variant = chosen === none ? null : chosen;
    deciding.mutate(() =>
      request('POST /environments/:env/experiments/:id/decide', {
        params: { env, id },
        body: { variant, note: note.trim(), keepRule: variant !== null && keepRule },
      }),
    );
  };
  return (
    <GuardedForm
      {...{ env, act: 'experiment.decide' }}
      form={{ submit, isPending: deciding.isPending, error: deciding.error }}
      title={`Decide ${name}`}
      size="lg"
      onClose={onClose}
      confirm="Decide and make the release"
      isDisabled={chosen === null}
    >
      {lead !== null && <LeadNotice lead={lead} />}
      <Radio.Group
        label="What all its players get from now on"
        required
        value={chosen}
        onChange={setChosen}
      >
        <Stack gap="xs" mt="xs">
          {variants.map((variant) => (
            <Radio
              key={variant.name}
              value={variant.name}
              label={variant.name}
              description={
                variant.name === control ? 'What the others were compared with.' : undefined
              }
            />
          ))}
          <Radio
            value={none}
            label="None of them"
            description="The rule is removed; players get what they get without it."
          />
        </Stack>
      </Radio.Group>
      {chosen !== null && chosen !== none && (
        <Checkbox
          label="Keep the rule"
          description="The winner stays a rule without variants, even where the text itself could hold its values."
          checked={keepRule}
          onChange={(event) => setKeepRule(event.currentTarget.checked)}
        />
      )}
      <Textarea
        label="Why"
        description="Kept with the decision, for those who ask in a year."
        autosize
        maxRows={6}
        maxLength={noteCharsMax}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Text size="sm">
        {state === 'running' && 'This stops the experiment. '}A draft release is made that promotes
        the winner and removes the variants. Players get it when the release goes live, and you can
        ramp or revert it like any other.
      </Text>
    </GuardedForm>
  );
}

function LeadNotice({ lead: { kind, text } }: { readonly lead: Lead }) {
  const isClear = kind === 'better' || kind === 'worse';
  const titles = {
    unsound: 'The result cannot be trusted',
    waiting: 'There is no data yet',
    undecided: 'No decision yet',
    better: 'What the data say',
    worse: 'What the data say',
  } as const;
  return (
    <TitledAlert
      color={isClear ? 'teal' : kind === 'unsound' ? 'red' : 'yellow'}
      title={titles[kind]}
      p="xs"
    >
      {text}
      {!isClear && ' You can decide all the same; write down why.'}
    </TitledAlert>
  );
}
