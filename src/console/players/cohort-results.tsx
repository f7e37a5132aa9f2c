/** Who was given the value: how far the search is, sums, the table and its CSV. */
import { Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { IconDownload, IconPlayerStop } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { exactTime } from '../parts/time/formats.js';
import type { CohortRun, FoundPlayer } from './cohort-query.js';
import {
  type CohortFilter,
  cohortCsv,
  filterPlayers,
  lastingOf,
  playerPath,
} from './cohort-rows.js';

export interface CohortResultsProps {
  readonly run: CohortRun;
  readonly onStop: () => void;
  readonly onRetry: () => void;
}

const outcomes: Readonly<Record<FoundPlayer['outcome'], string>> = {
  given: 'Given',
  not_given: 'Not given',
  not_known: 'Not known',
  rejected: 'Rejected',
};

export function CohortResults({ run, onStop, onRetry }: CohortResultsProps) {
  const { question, found, to, isRunning, error } = run;
  const [filter, setFilter] = useState<CohortFilter>('given');
  const given = filterPlayers(found, 'given').length;
  const unknown = filterPlayers(found, 'not_known').length;
  const all = question.players.length;
  const rows = filterPlayers(found, filter);
  const columns = useMemo(
    () => columnsOf(question.environment, to ?? question.from),
    [question, to],
  );
  return (
    <Stack gap="sm">
      {isRunning && (
        <Group gap="sm">
          <Progress
            value={(found.length / all) * 100}
            flex="1 1 200px"
            aria-label="Players that were evaluated"
          />
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            onClick={onStop}
          >
            Stop
          </Button>
        </Group>
      )}
      {error !== null && (
        <ProblemAlert title="The players could not be evaluated" error={error} onRetry={onRetry} />
      )}
      <Text role="status" fw={500}>
        {isRunning
          ? `${found.length.toLocaleString('en')} of ${counted(all, 'player')} so far…`
          : `${given.toLocaleString('en')} of ${counted(found.length, 'player')} ${given === 1 ? 'was' : 'were'} given this value${unknown === 0 ? '' : `; for ${unknown.toLocaleString('en')} it is not known`}${found.length < all ? `. ${(all - found.length).toLocaleString('en')} were not evaluated` : ''}.`}
      </Text>
      {found.length > 0 && (
        <Group gap="sm" justify="space-between">
          <SegmentedControl
            aria-label="Which players are listed"
            value={filter}
            onChange={(value) => setFilter(value as CohortFilter)}
            data={[
              { value: 'given', label: 'Given' },
              { value: 'not_known', label: 'Not known' },
              { value: 'all', label: 'All' },
            ]}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => download(cohortCsv(rows), `${question.id}-players.csv`)}
            disabled={rows.length === 0}
          >
            Download CSV
          </Button>
        </Group>
      )}
      {rows.length > 0 && (
        <DataTable
          aria-label="Players"
          columns={columns}
          rows={rows}
          keyOf={({ at }) => String(at)}
          rowsAtOnce={200}
        />
      )}
    </Stack>
  );
}

function columnsOf(environment: string, to: string): readonly Column<FoundPlayer>[] {
  return [
    {
      title: 'Player',
      isHeader: true,
      cell: (player) => (
        <Link href={playerPath(environment, player, to)} style={{ overflowWrap: 'anywhere' }}>
          {player.u === '' ? 'without a user id' : player.u}
        </Link>
      ),
      sortBy: ({ u }) => u,
    },
    {
      title: 'First',
      cell: ({ outcome, firstAt, detail }) => (
        <Text title={detail ?? undefined}>
          {firstAt === null ? outcomes[outcome] : exactTime(firstAt)}
        </Text>
      ),
      sortBy: ({ firstAt, outcome }) => firstAt ?? outcome,
    },
    {
      title: 'Until',
      visibleFrom: 'sm',
      cell: ({ untilAt }) => (untilAt === null ? null : exactTime(untilAt)),
      sortBy: ({ untilAt }) => untilAt ?? '',
    },
    {
      title: 'For',
      visibleFrom: 'sm',
      cell: ({ givenMs }) => (givenMs === 0 ? null : lastingOf(givenMs)),
      sortBy: ({ givenMs }) => givenMs,
    },
    {
      title: 'From',
      visibleFrom: 'md',
      cell: ({ revision, release, detail }) =>
        revision === null
          ? detail
          : `r${revision}${release === null ? '' : `, ramp of release ${release}`}`,
    },
  ];
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
