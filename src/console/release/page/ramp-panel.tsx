/** A ramp under way: the players with the change beside as many without it, and how near the brake is to tripping. */
import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import type { Release } from '../../../contract/schemas/release.js';
import { type Column, DataTable } from '../../parts/data/data-table.js';
import { When } from '../../parts/time/when.js';
import { evidenceShare } from '../../releases/words/brake.js';
import { formatMinutes } from '../../releases/words/steps.js';
import { type CountRow, countRows } from '../words/count-rows.js';

type Ramp = NonNullable<Release['ramp']>;

export interface RampPanelProps {
  readonly release: Release;
  readonly ramp: Ramp;
}

export function RampPanel({ release, ramp }: RampPanelProps) {
  const { steps } = release;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="ramp-title">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4" id="ramp-title">
            {ramp.percent} % of players have it
          </Title>
          <Text size="sm" c="dimmed" component="div">
            Step {ramp.step + 1} of {steps.length}, since <When at={ramp.since} span inherit />
          </Text>
        </Group>
        <Progress
          value={ramp.percent}
          color={release.state === 'paused' ? 'orange' : 'grape'}
          aria-label={`${ramp.percent} % of players have it`}
        />
        <Counts release={release} ramp={ramp} />
      </Stack>
    </Paper>
  );
}

function Counts({ release, ramp }: RampPanelProps) {
  const { counts, evidence } = ramp;
  const receipts = release.brake?.receipts ?? null;
  if (receipts === null) {
    return (
      <Text size="sm" c="dimmed">
        This ramp counts no healthy starts: its brake does not ask for receipts.
      </Text>
    );
  }
  if (ramp.percent === 100) {
    return (
      <Text size="sm">
        At 100 % no players are left to compare with: the brake does not act on healthy starts.
      </Text>
    );
  }
  if (counts === null) return <Text size="sm">No counts yet.</Text>;
  return (
    <>
      <CountTable counts={counts} />
      <Text size="xs" c="dimmed">
        A player who has not reached the menu within {formatMinutes(receipts.minutes)} counts as
        missing.
      </Text>
      {evidence !== null && <Evidence evidence={evidence} action={release.brake?.action} />}
    </>
  );
}

function CountTable({ counts }: { readonly counts: NonNullable<Ramp['counts']> }) {
  const rows = useMemo(() => countRows(counts), [counts]);
  return (
    <DataTable
      aria-label="Players of this step"
      withRowBorders={false}
      verticalSpacing={4}
      horizontalSpacing={6}
      columns={columns}
      rows={rows}
      keyOf={({ title }) => title}
    />
  );
}

const columns: Column<CountRow>[] = [
  { title: 'Players', isHeader: true, cell: ({ title }) => <Text size="sm">{title}</Text> },
  { title: 'With it', ta: 'right', cell: ({ candidate }) => <Figure text={candidate} /> },
  { title: 'Without it', ta: 'right', cell: ({ control }) => <Figure text={control} /> },
];

function Figure({ text }: { readonly text: string }) {
  return (
    <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {text}
    </Text>
  );
}

interface EvidenceProps {
  readonly evidence: NonNullable<Ramp['evidence']>;
  readonly action: 'stop' | 'pause' | undefined;
}

function Evidence({ evidence, action = 'stop' }: EvidenceProps) {
  const { value, limit } = evidence;
  const share = evidenceShare(evidence);
  const says = `${value.toFixed(value < 10 ? 1 : 0)} of ${limit}`;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">Evidence of a fault</Text>
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {says}
        </Text>
      </Group>
      <Progress
        value={share * 100}
        color={share > 0.5 ? 'red' : 'gray'}
        aria-label={`Evidence of a fault: ${says}`}
      />
      <Text size="xs" c="dimmed" mt={4}>
        At {limit} the release {action === 'stop' ? 'stops' : 'pauses'} by itself. 1 means no
        evidence.
      </Text>
    </div>
  );
}
