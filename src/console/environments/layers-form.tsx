/** The dialog that replaces the layers and the holdout of an environment. */
import {
  ActionIcon,
  Alert,
  Button,
  Group,
  NumberInput,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import type { EnvironmentLayers, LayersInput } from '../../contract/schemas/experiments/layers.js';
import { request } from '../api/call.js';
import { IconPlus, IconTrash } from '../icons/icons.js';
import { GuardedForm } from '../parts/acts/guarded-form.js';
import { layersKey } from '../parts/layers.js';
import { notifyDone } from '../parts/notify.js';
import { AddToRelease } from '../releases/add/add-to-release.js';
import { emptyRow, inputOf, type LayerRow, randomSalt, rowsOf, shareOf } from './layer-rows.js';

export interface LayersFormProps {
  readonly environment: Environment;
  readonly layers: EnvironmentLayers;
  readonly onClose: () => void;
}

export function LayersForm({ environment, layers, onClose }: LayersFormProps) {
  const { id, name, review } = environment;
  const queries = useQueryClient();
  const [rows, setRows] = useState<readonly LayerRow[]>(rowsOf(layers));
  const [percent, setPercent] = useState(shareOf(layers));
  const [isAdding, setIsAdding] = useState(false);
  const input: LayersInput = { ...inputOf(rows, percent, layers), ifEtag: layers.etag };
  const saving = useMutation({
    mutationFn: () =>
      request('PUT /environments/:env/layers', { params: { env: id }, body: input }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: layersKey(id) });
      notifyDone(`${name}: the layers are saved.`);
      onClose();
    },
  });
  if (isAdding) {
    const edit = {
      layers: input.layers.map((layer) => ({ ...layer, salt: layer.salt ?? randomSalt() })),
      holdout: input.holdout && { ...input.holdout, salt: input.holdout.salt ?? randomSalt() },
    };
    const changes = async () => [{ kind: 'environment', edit } as const];
    return <AddToRelease env={id} what="layers and holdout" {...{ changes, onClose }} />;
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (review > 0) setIsAdding(true);
    else saving.mutate();
  };
  const change = (at: number, row: LayerRow | null): void =>
    setRows(rows.flatMap((one, place) => (place !== at ? [one] : row === null ? [] : [row])));
  return (
    <GuardedForm
      {...{ env: id, act: review === 0 ? 'environment.layers' : null }}
      form={{ submit, isPending: saving.isPending, error: saving.error }}
      title={`Layers of ${name}`}
      size="lg"
      onClose={onClose}
      confirm={review > 0 ? 'Add to release…' : 'Save'}
      isDisabled={rows.some((row) => row.name === '')}
    >
      <Stack gap="xs" role="group" aria-label="Layers">
        {rows.map((row, at) => (
          <LayerFieldset key={row.key} row={row} onChange={(next) => change(at, next)} />
        ))}
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setRows([...rows, emptyRow()])}
          >
            Add a layer
          </Button>
        </Group>
      </Stack>
      <Switch
        label="Hold players out of experiments"
        checked={percent > 0}
        onChange={({ currentTarget: { checked } }) => setPercent(checked ? 5 : 0)}
      />
      {percent > 0 && (
        <NumberInput
          label="Share of players in the holdout"
          suffix=" %"
          min={0.1}
          max={100}
          step={1}
          decimalScale={1}
          value={percent}
          onChange={(value) => typeof value === 'number' && setPercent(value)}
          maw={260}
        />
      )}
      <Alert color="yellow" variant="light" p="xs">
        Another seed of a layer assigns its players to new buckets. A larger holdout takes players
        out of rules that leave it out.
      </Alert>
    </GuardedForm>
  );
}

interface LayerFieldsetProps {
  readonly row: LayerRow;
  /** Null: it is removed. */
  readonly onChange: (row: LayerRow | null) => void;
}

function LayerFieldset({ row, onChange }: LayerFieldsetProps) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label="Name"
        value={row.name}
        readOnly={row.isSaved}
        maxLength={64}
        onChange={({ currentTarget: { value } }) => onChange({ ...row, name: value })}
        flex={1}
      />
      <TextInput
        label="Seed"
        value={row.salt}
        placeholder="A random one"
        maxLength={256}
        classNames={{ input: 'mono' }}
        onChange={({ currentTarget: { value } }) => onChange({ ...row, salt: value })}
        flex={1}
      />
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={`Remove the layer ${row.name}`}
        onClick={() => onChange(null)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
