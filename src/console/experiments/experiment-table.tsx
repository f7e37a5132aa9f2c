/** Experiments as rows; what runs has its health and its lead, which are computed row by row. */
import { Anchor, Box, Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { leadOf } from '../../contract/results/lead.js';
import type { ExperimentSummary } from '../../contract/schemas/experiment.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { pathOf } from '../parts/environments.js';
import { useResults } from './experiment-queries.js';
import { HealthBadge } from './health-badge.js';
import { StateBadge } from './state-badge.js';
import { runText } from './words/days.js';
import { nameDecision } from './words/decision-words.js';
import { sortExperiments } from './words/experiment-states.js';
import { unbroken } from './words/unbroken.js';

export interface ExperimentTableProps {
  readonly env: string;
  readonly rows: readonly ExperimentSummary[];
}

export function ExperimentTable({ env, rows }: ExperimentTableProps) {
  const columns = useMemo(() => columnsOf(env), [env]);
  const sorted = useMemo(() => sortExperiments(rows), [rows]);
  return (
    <DataTable
      aria-label="Experiments"
      columns={columns}
      rows={sorted}
      keyOf={({ id }) => id}
      rowsAtOnce={25}
    />
  );
}

function columnsOf(env: string): Column<ExperimentSummary>[] {
  return [
    {
      title: 'Experiment',
      isHeader: true,
      cell: (row) => (
        <Box style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} href={pathOf.experiment(env, row.id)} fw={600} size="sm">
            {row.name}
          </Anchor>
          <Text size="xs" c="dimmed" fw={400}>
            {row.content}, {row.segment}
          </Text>
          <Box hiddenFrom="sm" fw={400}>
            <Lead env={env} row={row} />
          </Box>
        </Box>
      ),
    },
    {
      title: 'State',
      cell: (row) => (
        <>
          <StateBadge state={row.state} />
          <Box hiddenFrom="sm">
            <Health env={env} row={row} />
          </Box>
        </>
      ),
    },
    { title: 'Health', visibleFrom: 'sm', cell: (row) => <Health env={env} row={row} /> },
    {
      title: 'Days',
      visibleFrom: 'sm',
      cell: (row) => (
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {runText(row, Date.now())}
        </Text>
      ),
    },
    { title: 'So far', visibleFrom: 'sm', cell: (row) => <Lead env={env} row={row} /> },
    {
      title: 'Owner',
      visibleFrom: 'md',
      cell: ({ owner }) => <Text size="sm">{owner === '' ? '–' : owner}</Text>,
    },
  ];
}

interface CellProps {
  readonly env: string;
  readonly row: ExperimentSummary;
}

/** What is decided needs no result: it would be computed for each look at the list. */
function useRowResults({ env, row }: CellProps) {
  return useResults(env, row, { isEnabled: row.state === 'running' || row.state === 'stopped' });
}

function Health(props: CellProps) {
  const { data, isLoading } = useRowResults(props);
  if (isLoading) return <Skeleton height={18} width={70} />;
  return data === undefined ? '–' : <HealthBadge status={data.health.status} />;
}

function Lead(props: CellProps) {
  const { data, isLoading, error } = useRowResults(props);
  const { state, decision } = props.row;
  if (isLoading) return <Skeleton height={18} width={120} />;
  if (error !== null) return <Text size="sm">The result could not be computed.</Text>;
  if (decision !== null) return <Text size="sm">{nameDecision(decision)}</Text>;
  const text = data !== undefined ? leadOf(data).short : state === 'draft' ? 'Not started' : '–';
  return <Text size="sm">{unbroken(text)}</Text>;
}
