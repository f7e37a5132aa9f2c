/** What an environment keeps of the user contexts that requests carry, and the dialog that changes it. */
import { Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import { FormDialog } from '../parts/form/form-dialog.js';
import { notifyDone } from '../parts/notify.js';

export interface RequestDataProps {
  readonly environment: Environment;
  readonly onClose: () => void;
}

type Traffic = Environment['traffic'];

const choices: readonly {
  readonly value: Traffic;
  readonly label: string;
  readonly description: string;
}[] = [
  {
    value: 'names',
    label: 'Names of attributes',
    description: 'So that a condition on an attribute that no game sends is noticed.',
  },
  {
    value: 'values',
    label: 'Names and frequent values',
    description:
      'Offered in conditions. None that fewer than ten users had, and none that looks like an id, an address or a token.',
  },
  {
    value: 'contexts',
    label: 'Also a sample of contexts',
    description:
      'Up to 10,000 contexts of the past day, to try edits on. User ids become pseudonyms, and attributes that look like an id are left out. The sample is in the memory of the servers alone, and no one can read it: previews only count.',
  },
];

export function RequestData({ environment, onClose }: RequestDataProps) {
  const { id, name, traffic } = environment;
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<Traffic>(traffic);
  const saving = useMutation({
    mutationFn: () =>
      request('PATCH /environments/:env', { params: { env: id }, body: { traffic: wanted } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments'] });
      const label = choices.find(({ value }) => value === wanted)?.label ?? wanted;
      notifyDone(`${name} keeps of requests: ${label.toLowerCase()}.`);
      onClose();
    },
  });
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (wanted !== traffic) saving.mutate();
  };
  const placeOf = (kind: Traffic): number => choices.findIndex(({ value }) => value === kind);
  return (
    <FormDialog
      form={{ submit, isPending: saving.isPending, error: saving.error }}
      title={`Request data of ${name}`}
      size="lg"
      onClose={onClose}
      confirm="Save"
      isDisabled={wanted === traffic}
    >
      <Radio.Group
        label="What is kept of the requests of games"
        value={wanted}
        onChange={(value) => {
          const chosen = choices.find((one) => one.value === value);
          if (chosen !== undefined) setWanted(chosen.value);
        }}
      >
        <Stack gap="xs" mt="xs">
          {choices.map(({ value, label, description }) => (
            <Radio key={value} {...{ value, label, description }} />
          ))}
        </Stack>
      </Radio.Group>
      {placeOf(wanted) < placeOf(traffic) && (
        <Text size="sm">What is kept beyond that is deleted at once.</Text>
      )}
    </FormDialog>
  );
}
