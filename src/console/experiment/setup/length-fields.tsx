/** How small an effect is still worth finding, and for how many days the experiment is to run. */
import { Group, NumberInput } from '@mantine/core';
import { plannedDaysMax } from '../../../contract/limits.js';
import type { PlanForm } from './plan-form.js';

export function LengthFields({ form }: { readonly form: PlanForm }) {
  return (
    <Group grow align="flex-start">
      <NumberInput
        label="Smallest effect"
        description="Worth finding, relative to the control."
        suffix=" %"
        min={0.1}
        max={1000}
        step={1}
        decimalScale={3}
        {...form.getInputProps('smallestEffect')}
      />
      <NumberInput
        label="Days"
        description="Whole weeks even out weekends."
        min={1}
        max={plannedDaysMax}
        step={7}
        allowDecimal={false}
        {...form.getInputProps('plannedDays')}
      />
    </Group>
  );
}
