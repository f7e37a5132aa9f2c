/** Edits the steps of a ramp: rows of a share and how long it lasts, and presets. */
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  NumberInput,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { useState } from 'react';
import { holdMinutesMax, releaseStepsMax } from '../../../contract/limits.js';
import type { Release } from '../../../contract/schemas/release.js';
import { IconPlus, IconTrash } from '../../icons/icons.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { WithdrawWarning } from '../../releases/withdraw-warning.js';
import {
  formatMinutes,
  formatSteps,
  nextStep,
  stepIssue,
  stepPresets,
  type TypedStep,
  typedSteps,
} from '../../releases/words/steps.js';
import { useSavePlan } from './use-save-plan.js';

export interface StepsEditorProps {
  readonly env: string;
  readonly release: Release;
  readonly onClose: () => void;
}

interface Row extends TypedStep {
  /** Rows keep their inputs while others come and go. */
  readonly key: number;
}

let lastKey = 0;
const rowOf = (step: TypedStep): Row => ({ ...step, key: ++lastKey });

export function StepsEditor({ env, release, onClose }: StepsEditorProps) {
  const [rows, setRows] = useState<readonly Row[]>(() => release.steps.map(rowOf));
  const saving = useSavePlan(env, release, onClose);
  const steps = typedSteps(rows);
  const change = (key: number, part: Partial<TypedStep>): void =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (steps !== null) saving.save({ steps });
  };
  return (
    <FormDialog
      form={{ submit, isPending: saving.isPending, error: saving.error }}
      title="Ramp"
      size="lg"
      onClose={onClose}
      confirm="Save ramp"
      isDisabled={steps === null}
    >
      <WithdrawWarning state={release.state} />
      <Group gap="xs" role="group" aria-label="Presets">
        {stepPresets.map((preset) => (
          <Button
            key={preset.label}
            size="compact-sm"
            variant="default"
            title={formatSteps(preset.steps)}
            onClick={() => setRows(preset.steps.map(rowOf))}
          >
            {preset.label}
          </Button>
        ))}
      </Group>
      <Stack gap="xs">
        {rows.map((row, place) => (
          <StepRow
            key={row.key}
            place={place}
            row={row}
            issue={stepIssue(rows, place)}
            onChange={(part) => change(row.key, part)}
            onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rows.length >= releaseStepsMax || rows.at(-1)?.percent === 100}
          onClick={() => setRows([...rows, rowOf(nextStep(rows))])}
        >
          Add step
        </Button>
      </Stack>
      <Text size="sm" role="status">
        {steps === null ? 'Fix the steps above.' : formatSteps(steps)}
      </Text>
    </FormDialog>
  );
}

interface StepRowProps {
  readonly place: number;
  readonly row: Row;
  readonly issue: string | null;
  readonly onChange: (part: Partial<TypedStep>) => void;
  readonly onRemove: () => void;
}

function StepRow({ place, row, issue, onChange, onRemove }: StepRowProps) {
  const { percent, holdMinutes } = row;
  const typed = (value: number | string): number | '' => (typeof value === 'number' ? value : '');
  return (
    <Fieldset variant="unstyled" legend={<VisuallyHidden>Step {place + 1}</VisuallyHidden>}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <NumberInput
          label="Players"
          aria-label={`Share of players in step ${place + 1}, per cent`}
          suffix=" %"
          min={0.1}
          max={100}
          step={1}
          decimalScale={1}
          value={percent}
          error={issue}
          flex={1}
          onChange={(value) => onChange({ percent: typed(value) })}
        />
        <NumberInput
          label="For, minutes"
          aria-label={`How long step ${place + 1} lasts, minutes`}
          description={holdMinutes === '' ? undefined : formatMinutes(holdMinutes)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0}
          max={holdMinutesMax}
          allowDecimal={false}
          value={holdMinutes}
          flex={1}
          onChange={(value) => onChange({ holdMinutes: typed(value) })}
        />
        <ActionIcon
          variant="default"
          size="input-sm"
          mt={24}
          aria-label={`Remove step ${place + 1}`}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Fieldset>
  );
}
