/** Edits the brake of a release: healthy starts, a Prometheus query, and whether it stops or pauses. */
import {
  Checkbox,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
} from '@mantine/core';
import { useState } from 'react';
import { holdMinutesMax, promqlCharsMax, receiptMinutesMax } from '../../../contract/limits.js';
import type { Release } from '../../../contract/schemas/release.js';
import { monoInput } from '../../parts/code/mono-input.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { WithdrawWarning } from '../../releases/withdraw-warning.js';
import { brakeOf, type TypedBrake, typedBrakeOf } from '../words/typed-brake.js';
import { useSavePlan } from './use-save-plan.js';

export interface BrakeEditorProps {
  readonly env: string;
  readonly release: Release;
  readonly onClose: () => void;
}

export function BrakeEditor({ env, release, onClose }: BrakeEditorProps) {
  const [typed, setTyped] = useState(() => typedBrakeOf(release.brake));
  const saving = useSavePlan(env, release, onClose);
  const brake = brakeOf(typed);
  const change = (part: Partial<TypedBrake>): void => setTyped({ ...typed, ...part });
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (brake !== undefined) saving.save({ brake });
  };
  return (
    <FormDialog
      form={{ submit, isPending: saving.isPending, error: saving.error }}
      title="Brake"
      size="lg"
      onClose={onClose}
      confirm="Save brake"
      isDisabled={brake === undefined}
    >
      <WithdrawWarning state={release.state} />
      <ReceiptFields typed={typed} onChange={change} />
      <QueryFields typed={typed} onChange={change} />
      <div>
        <Text size="sm" fw={500} id="brake-action">
          When it trips
        </Text>
        <SegmentedControl
          aria-labelledby="brake-action"
          data={[
            { value: 'stop', label: 'Stop the release' },
            { value: 'pause', label: 'Pause it' },
          ]}
          value={typed.action}
          onChange={(value) => change({ action: value === 'pause' ? 'pause' : 'stop' })}
        />
      </div>
    </FormDialog>
  );
}

interface FieldsProps {
  readonly typed: TypedBrake;
  readonly onChange: (part: Partial<TypedBrake>) => void;
}

function ReceiptFields({ typed, onChange }: FieldsProps) {
  const { hasReceipts, receiptMinutes } = typed;
  return (
    <Stack gap="xs">
      <Switch
        label="Healthy starts"
        description="Compares players with the change to as many without it. Needs a client kit, or a game that sends receipts."
        checked={hasReceipts}
        onChange={(event) => onChange({ hasReceipts: event.currentTarget.checked })}
      />
      {hasReceipts && (
        <NumberInput
          label="A player is missing after, minutes"
          description="How long a start of the game takes, to its menu, with time to spare."
          min={1}
          max={receiptMinutesMax}
          allowDecimal={false}
          required
          value={receiptMinutes}
          onChange={(value) => onChange({ receiptMinutes: value === '' ? '' : Number(value) })}
        />
      )}
    </Stack>
  );
}

function QueryFields({ typed, onChange }: FieldsProps) {
  const { hasQuery, query, side, threshold, queryMinutes, noData } = typed;
  return (
    <Stack gap="xs">
      <Switch
        label="Prometheus query"
        description="Evaluated by the Prometheus server that the operator of this server has named."
        checked={hasQuery}
        onChange={(event) => onChange({ hasQuery: event.currentTarget.checked })}
      />
      {hasQuery && (
        <>
          <Textarea
            label="Query"
            required
            autosize
            maxRows={6}
            styles={monoInput}
            spellCheck={false}
            maxLength={promqlCharsMax}
            placeholder="sum(rate(game_crashes_total[5m]))"
            value={query}
            onChange={(event) => onChange({ query: event.currentTarget.value })}
          />
          <Group gap="xs" align="flex-start" grow>
            <Select
              label="Trips while it is"
              data={[
                { value: 'above', label: 'above' },
                { value: 'below', label: 'below' },
              ]}
              allowDeselect={false}
              value={side}
              onChange={(value) => onChange({ side: value === 'below' ? 'below' : 'above' })}
            />
            <NumberInput
              label="Value"
              required
              value={threshold}
              onChange={(value) => onChange({ threshold: value === '' ? '' : Number(value) })}
            />
            <NumberInput
              label="For, minutes"
              min={0}
              max={holdMinutesMax}
              allowDecimal={false}
              required
              value={queryMinutes}
              onChange={(value) => onChange({ queryMinutes: value === '' ? '' : Number(value) })}
            />
          </Group>
          <Checkbox
            label="No data counts as bad"
            checked={noData === 'bad'}
            onChange={(event) =>
              onChange({ noData: event.currentTarget.checked ? 'bad' : 'ignore' })
            }
          />
        </>
      )}
    </Stack>
  );
}
