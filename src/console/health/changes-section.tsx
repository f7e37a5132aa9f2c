/** What was published in the time that the charts show, with the numbers of its marks. */
import { Anchor, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { exactTime } from '../parts/time/formats.js';
import { clockTime } from './charts/line-chart.js';
import { type PublishMark, placeOf } from './charts/publish-marks.js';
import { type Column, DataTable } from './data-table.js';

const columns: readonly Column[] = [
  { name: 'Mark', isNumber: true },
  ...['Time', 'What was published', 'Environment', 'By'].map((name) => ({ name })),
];

export interface ChangesSectionProps {
  /** Oldest first. */
  readonly marks: readonly PublishMark[];
  /** Of the hour, only the newest are known. */
  readonly isCut: boolean;
}

export function ChangesSection({ marks, isCut }: ChangesSectionProps) {
  return (
    <Stack gap="xs" component="section" aria-label="Published in this time">
      <Title order={3} size="h5">
        Published in this time
      </Title>
      {marks.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing was.
        </Text>
      ) : (
        <DataTable label="Published in this time" columns={columns} widthMin={520}>
          {marks.toReversed().map(({ number, at, words, change }) => (
            <Table.Tr key={change.id}>
              <Table.Td ta="right">{number}</Table.Td>
              <Table.Td title={exactTime(change.at)}>{clockTime(at)}</Table.Td>
              <Table.Td>
                <Anchor component={Link} href={placeOf(change)} size="sm">
                  {words}
                </Anchor>
              </Table.Td>
              <Table.Td>{change.environment}</Table.Td>
              <Table.Td>{change.by}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      {isCut && (
        <Text size="sm" c="dimmed">
          Only the newest are listed; Activity has all of them.
        </Text>
      )}
    </Stack>
  );
}
