/** The processes of the server, one row each, with what each does now. */
import { Badge, ScrollArea, Table, Text } from '@mantine/core';
import { exactTime } from '../parts/when.js';
import { type History, latestPoint } from './charts/metrics-history.js';
import type { ListenerSample } from './charts/metrics-sample.js';
import {
  bytesWords,
  countWords,
  durationWords,
  plainWords,
  rateWords,
  uptimeWords,
} from './number-words.js';
import { upToDateColor } from './up-to-date-color.js';

export function ListenersTable({ history }: { readonly history: History }) {
  const { latest, restarts } = history;
  const point = latestPoint(history);
  if (latest === null) {
    return (
      <Text size="sm" c="dimmed" p="md">
        Not known while the server does not answer.
      </Text>
    );
  }
  const { control } = latest;
  const nowSeconds = latest.atMs / 1000;
  return (
    <ScrollArea
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Processes, as a table' }}
    >
      <Table
        highlightOnHover
        tabularNums
        miw={900}
        fz="sm"
        horizontalSpacing="xs"
        aria-label="Processes"
        style={{ whiteSpace: 'nowrap' }}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Process</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th ta="right">Sequence</Table.Th>
            <Table.Th ta="right">Requests</Table.Th>
            <Table.Th ta="right">Connections</Table.Th>
            <Table.Th ta="right">Memory</Table.Th>
            <Table.Th ta="right">Cores</Table.Th>
            <Table.Th ta="right">Loop delay</Table.Th>
            <Table.Th ta="right">Cache</Table.Th>
            <Table.Th ta="right">Up for</Table.Th>
            <Table.Th ta="right" title="Seen while this page was open">
              Restarts
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {latest.listeners.map((listener) => {
            const now = point?.listeners.get(listener.slot);
            return (
              <Table.Tr key={listener.slot}>
                <Table.Th fw={600}>listener {listener.slot}</Table.Th>
                <Table.Td>
                  <SequenceBadge listener={listener} newest={latest.sequence} />
                </Table.Td>
                <Table.Td ta="right">{countWords(listener.sequence)}</Table.Td>
                <Table.Td ta="right">{known(now?.requestsPerSecond, rateWords)}</Table.Td>
                <Table.Td ta="right">{countWords(listener.connections)}</Table.Td>
                <Table.Td ta="right">{bytesWords(listener.residentBytes)}</Table.Td>
                <Table.Td ta="right">{known(now?.cores, plainWords)}</Table.Td>
                <Table.Td ta="right">{durationWords(listener.loopDelaySeconds)}</Table.Td>
                <Table.Td ta="right" title={`${countWords(listener.cacheEntries)} bodies`}>
                  {bytesWords(listener.cacheBytes)}
                </Table.Td>
                <UpFor since={listener.startedAtSeconds} now={nowSeconds} />
                <Table.Td ta="right">{restarts.get(listener.slot) ?? 0}</Table.Td>
              </Table.Tr>
            );
          })}
          <Table.Tr>
            <Table.Th fw={600}>control</Table.Th>
            <Table.Td>
              <Badge variant="default" miw="max-content">
                manages
              </Badge>
            </Table.Td>
            <Table.Td ta="right">{countWords(latest.sequence)}</Table.Td>
            <Table.Td ta="right">–</Table.Td>
            <Table.Td ta="right">–</Table.Td>
            <Table.Td ta="right">{bytesWords(control.residentBytes)}</Table.Td>
            <Table.Td ta="right">{known(point?.control.cores, plainWords)}</Table.Td>
            <Table.Td ta="right">{durationWords(control.loopDelaySeconds)}</Table.Td>
            <Table.Td ta="right">–</Table.Td>
            <UpFor since={control.startedAtSeconds} now={nowSeconds} />
            <Table.Td ta="right">–</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

interface SequenceBadgeProps {
  readonly listener: ListenerSample;
  readonly newest: number;
}

function SequenceBadge({ listener, newest }: SequenceBadgeProps) {
  const behind = newest - listener.sequence;
  return behind > 0 ? (
    <Badge variant="filled" color="red.9" miw="max-content">
      {behind} behind
    </Badge>
  ) : (
    <Badge variant="light" color="teal" c={upToDateColor} miw="max-content">
      up to date
    </Badge>
  );
}

function UpFor({ since, now }: { readonly since: number; readonly now: number }) {
  return (
    <Table.Td ta="right" title={`since ${exactTime(new Date(since * 1000).toISOString())}`}>
      {uptimeWords(now - since)}
    </Table.Td>
  );
}

function known(value: number | undefined, words: (value: number) => string): string {
  return value === undefined ? '–' : words(value);
}
