/** Layers and the holdout of an environment: what experiments share. */
import { Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import type { EnvironmentLayers } from '../../contract/schemas/experiments/layers.js';
import { IconLayersIntersect, IconPencil } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { useLayers } from '../parts/layers.js';
import { useMayEdit } from '../session/session.js';
import { LayersForm } from './layers-form.js';

export function LayersSection({ environment }: { readonly environment: Environment }) {
  const layers = useLayers(environment.id);
  const mayEdit = useMayEdit(environment);
  const [isEdited, setIsEdited] = useState(false);
  const edit = mayEdit && layers.data !== undefined && (
    <Button
      variant="default"
      leftSection={<IconPencil size={16} aria-hidden />}
      onClick={() => setIsEdited(true)}
    >
      Edit layers
    </Button>
  );
  return (
    <Stack gap="sm" component="section" aria-labelledby="layers-title">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4" id="layers-title">
          Layers and holdout
        </Title>
        {layers.data !== undefined && !isEmpty(layers.data) && edit}
      </Group>
      <Text size="sm" c="dimmed">
        Experiments in separate slices of a layer never share a player. Players of the holdout take
        part in none, so that all experiments together can be compared with them.
      </Text>
      <Loaded query={layers} label="Loading the layers" rowHeight={80}>
        {(data) =>
          isEmpty(data) ? (
            <EmptyState icon={<IconLayersIntersect />} title="No layer yet" action={edit}>
              Experiments that change different things can share players without one.
            </EmptyState>
          ) : (
            <LayerTable layers={data} />
          )
        }
      </Loaded>
      {isEdited && layers.data !== undefined && (
        <LayersForm
          environment={environment}
          layers={layers.data}
          onClose={() => setIsEdited(false)}
        />
      )}
    </Stack>
  );
}

function isEmpty({ layers, holdout }: EnvironmentLayers): boolean {
  return layers.length === 0 && holdout === null;
}

function LayerTable({ layers: { layers, holdout, uses } }: { readonly layers: EnvironmentLayers }) {
  const countOf = (layer: string): number =>
    new Set(uses.filter((use) => use.layer === layer).map((use) => `${use.content} ${use.segment}`))
      .size;
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Layer</Table.Th>
          <Table.Th scope="col">Seed</Table.Th>
          <Table.Th scope="col">Rules</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {layers.map(({ name, salt }) => (
          <Table.Tr key={name}>
            <Table.Td>{name}</Table.Td>
            <Table.Td className="mono">{salt}</Table.Td>
            <Table.Td>{counted(countOf(name), 'rule')}</Table.Td>
          </Table.Tr>
        ))}
        {holdout !== null && (
          <Table.Tr>
            <Table.Td>
              Holdout, buckets {holdout.groups[0]}–{holdout.groups[1]}
            </Table.Td>
            <Table.Td className="mono">{holdout.salt}</Table.Td>
            <Table.Td>{counted(uses.filter((use) => use.holdout).length, 'rule')}</Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}
