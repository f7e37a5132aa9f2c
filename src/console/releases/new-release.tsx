/** Makes a release: its title, and how it is ramped. */
import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { descriptionCharsMax, releaseTitleCharsMax } from '../../contract/limits.js';
import type { Release } from '../../contract/schemas/release.js';
import { request } from '../api/call.js';
import { FormDialog } from '../parts/form/form-dialog.js';
import { useServerForm } from '../parts/form/use-server-form.js';
import { releaseKeys } from './release-queries.js';
import { defaultReceipts } from './words/brake.js';
import { formatSteps, stepPresets } from './words/steps.js';

export interface NewReleaseProps {
  readonly env: string;
  readonly onClose: () => void;
  readonly onMade: (release: Release) => void;
}

/** Of a new release; a ramp without a brake has to be asked for. */
export function planOf(preset: string) {
  const steps = stepPresets.find(({ label }) => label === preset)?.steps ?? [];
  const brake =
    steps.length === 0
      ? null
      : { action: 'stop' as const, receipts: { ...defaultReceipts }, query: null };
  return { steps, brake };
}

export function NewRelease({ env, onClose, onMade }: NewReleaseProps) {
  const queries = useQueryClient();
  const form = useServerForm({
    initialValues: { title: '', description: '', ramp: stepPresets[0]?.label ?? '' },
    send: ({ title, description, ramp }) =>
      request('POST /environments/:env/releases', {
        params: { env },
        body: { title: title.trim(), description: description.trim(), ...planOf(ramp) },
      }),
    onSent: (release) => {
      void queries.invalidateQueries({ queryKey: releaseKeys.all(env) });
      queries.setQueryData(releaseKeys.one(env, release.release), release);
      onMade(release);
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="New release"
      confirm="Create release"
      isDisabled={form.values.title.trim() === ''}
      size="lg"
    >
      <TextInput
        data-autofocus
        label="Title"
        placeholder="Winter event"
        required
        maxLength={releaseTitleCharsMax}
        autoComplete="off"
        {...form.getInputProps('title')}
      />
      <Textarea
        label="Description"
        description="Why, for those who review it."
        autosize
        maxRows={6}
        maxLength={descriptionCharsMax}
        {...form.getInputProps('description')}
      />
      <Radio.Group
        label="Ramp"
        description="It can be changed later."
        {...form.getInputProps('ramp')}
      >
        <Stack gap="xs" mt="xs">
          {stepPresets.map(({ label, steps }) => (
            <Radio key={label} value={label} label={label} description={formatSteps(steps)} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
