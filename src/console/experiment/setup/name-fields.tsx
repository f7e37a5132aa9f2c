/** What an experiment is called, what it is about, and which variant the others are compared with. */
import { Select, Textarea, TextInput } from '@mantine/core';
import { descriptionCharsMax } from '../../../contract/limits.js';
import type { PlanForm } from './plan-form.js';

export interface NameFieldsProps {
  readonly form: PlanForm;
  /** Names. */
  readonly variants: readonly string[];
}

export function NameFields({ form, variants }: NameFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        placeholder="Cheaper navigator bundle"
        required
        maxLength={128}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Hypothesis"
        description="What you expect to happen, and why. Write it before you see results."
        placeholder="At 3.99 more players buy the bundle, and revenue per player does not fall."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={descriptionCharsMax}
        {...form.getInputProps('hypothesis')}
      />
      <TextInput
        label="Owner"
        description="Who answers for it: a person or a team."
        maxLength={128}
        autoComplete="off"
        {...form.getInputProps('owner')}
      />
      <Select
        label="Control"
        description="The variant that the others are compared with."
        data={[...variants]}
        allowDeselect={false}
        {...form.getInputProps('control')}
      />
    </>
  );
}
