/** The primary metric split by an attribute that someone chose afterwards: exploratory, and marked as such. */
import { Badge, Box, Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { attributeNameCharsMax } from '../../../contract/limits.js';
import { scaleOf } from '../../../contract/results/effect-scale.js';
import { formatEffect, formatInterval } from '../../../contract/results/effect-words.js';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import { useResults } from '../../experiments/experiment-queries.js';
import { Loaded } from '../../parts/data/loaded.js';
import { TitledAlert } from '../../parts/titled-alert.js';
import { IntervalBar } from './interval-bar.js';
import classes from './intervals.module.css';

export interface SegmentsSectionProps {
  readonly env: string;
  readonly experiment: Experiment;
  readonly phase: number;
}

export function SegmentsSection({ env, experiment, phase }: SegmentsSectionProps) {
  const [typed, setTyped] = useState('');
  const [attribute, setAttribute] = useState<string | null>(null);
  const results = useResults(env, experiment, {
    phase,
    segment: attribute ?? undefined,
    isEnabled: attribute !== null,
  });
  return (
    <Stack gap="sm" component="section" aria-labelledby="segments-title">
      <Group gap="xs">
        <Title order={2} size="h4" id="segments-title">
          By attribute
        </Title>
        <Badge variant="outline" color="grape">
          Exploratory
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        A hint for the next experiment, not a result of this one: with enough groups, one of them
        always stands out by chance.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') setAttribute(typed.trim());
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Attribute"
            description="One that the server stores with events (--event-attributes)."
            placeholder="country"
            maxLength={attributeNameCharsMax}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={typed.trim() === ''}>
            Split by it
          </Button>
        </Group>
      </form>
      {attribute !== null && (
        <Loaded query={results} label="Splitting the players" rowHeight={120}>
          {({ segments = [] }) => <SegmentTable attribute={attribute} segments={segments} />}
        </Loaded>
      )}
    </Stack>
  );
}

interface SegmentTableProps {
  readonly attribute: string;
  readonly segments: NonNullable<Results['segments']>;
}

function SegmentTable({ attribute, segments }: SegmentTableProps) {
  if (segments.length === 0) {
    return (
      <TitledAlert color="gray" title={`No event has the attribute ${attribute}`} p="xs">
        Start the server with --event-attributes {attribute}, and let the game send it with its
        events. Older events stay without it.
      </TitledAlert>
    );
  }
  const scale = scaleOf(segments.flatMap(({ comparisons }) => comparisons));
  return (
    <Box tabIndex={0} role="region" aria-label={`By ${attribute}`} style={{ overflowX: 'auto' }}>
      <Table verticalSpacing={6} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{attribute}</Table.Th>
            <Table.Th>Variant</Table.Th>
            <Table.Th>Change</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {segments.flatMap(({ value, comparisons }) =>
            comparisons.map((comparison) => (
              <Table.Tr key={JSON.stringify([value, comparison.variant])}>
                <Table.Th scope="row" fw={400}>
                  {value}
                </Table.Th>
                <Table.Td>{comparison.variant}</Table.Td>
                <Table.Td>
                  <div className={classes['change']}>
                    <Text size="sm">
                      {formatEffect(comparison.effect)}{' '}
                      <Text span size="xs" c="dimmed">
                        {formatInterval(comparison.interval)}
                      </Text>
                    </Text>
                    {/* Without a verdict: of what was chosen afterwards there is none. */}
                    <IntervalBar
                      comparison={{ ...comparison, verdict: 'no_decision' }}
                      scale={scale}
                    />
                  </div>
                </Table.Td>
              </Table.Tr>
            )),
          )}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
