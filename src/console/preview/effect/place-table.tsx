/** The values that change for the most users, live and afterwards. */
import { Table, Text } from '@mantine/core';
import { finePercent } from '../results/describe-rule-changes.js';
import type { ChangedPlace } from './frequent-places.js';

export interface PlaceTableProps {
  readonly places: readonly ChangedPlace[];
  /** All users. */
  readonly contexts: number;
}

const placesShown = 8;
const valueCharsMax = 60;

export function PlaceTable({ places, contexts }: PlaceTableProps) {
  if (places.length === 0) return null;
  const more = places.length - placesShown;
  return (
    <Table.ScrollContainer
      minWidth={320}
      type="native"
      tabIndex={0}
      role="region"
      aria-label="Values that change for the most users"
    >
      <Table verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Value</Table.Th>
            <Table.Th>Live</Table.Th>
            <Table.Th>Then</Table.Th>
            <Table.Th ta="right">Users</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {places.slice(0, placesShown).map(({ path, before, after, contexts: changed }) => (
            <Table.Tr key={JSON.stringify([path, before, after])}>
              <Table.Th scope="row" fw={400} className="mono">
                {path === '' ? 'whole document' : path}
              </Table.Th>
              <Table.Td className="mono">{shown(before)}</Table.Td>
              <Table.Td className="mono">{shown(after)}</Table.Td>
              <Table.Td ta="right">{finePercent(changed / Math.max(1, contexts))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {more > 0 && (
        <Text size="xs" c="dimmed">
          and {more.toLocaleString('en')} more values, for fewer users each
        </Text>
      )}
    </Table.ScrollContainer>
  );
}

function shown(json: string | null): string {
  if (json === null) return '–';
  return json.length > valueCharsMax ? `${json.slice(0, valueCharsMax)}…` : json;
}
