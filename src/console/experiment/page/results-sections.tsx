/** The result of one phase: its health first, who was in, the metrics, and how the effect has settled. */
import { Button, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import { IconHourglass } from '../../icons/icons.js';
import { counted } from '../../parts/counted.js';
import { EmptyState } from '../../parts/empty-state.js';
import { When } from '../../parts/time/when.js';
import { TitledAlert } from '../../parts/titled-alert.js';
import { CumulativeSection } from './cumulative-section.js';
import { HealthSection } from './health-section.js';
import { MetricTable } from './metric-table.js';
import { WhoWasIn } from './who-was-in.js';

export interface ResultsSectionsProps {
  readonly experiment: Experiment;
  readonly results: Results;
}

export function ResultsSections({ experiment, results }: ResultsSectionsProps) {
  const { status } = results.health;
  const isBroken = status === 'broken';
  const [isAsked, setIsAsked] = useState(false);
  if (status === 'no_data') {
    return (
      <>
        <HealthSection health={results.health} />
        <NoData experiment={experiment} />
      </>
    );
  }
  return (
    <>
      <HealthSection health={results.health} />
      <WhoWasIn results={results} />
      <Stack gap="sm" component="section" aria-labelledby="results-title">
        <Title order={2} size="h4" id="results-title">
          Results
        </Title>
        {isBroken && (
          <TitledAlert color="red" title="Do not decide on these numbers" p="xs">
            The players of the variants are not comparable, so a difference may come from who was
            counted, not from what they got. Find the cause, then start a new phase.
            {!isAsked && (
              <Button
                mt="xs"
                size="xs"
                variant="default"
                display="block"
                onClick={() => setIsAsked(true)}
              >
                Show them all the same
              </Button>
            )}
          </TitledAlert>
        )}
        {(!isBroken || isAsked) && <Metrics experiment={experiment} results={results} />}
      </Stack>
      {(!isBroken || isAsked) && results.cumulative.length > 0 && (
        <CumulativeSection
          cumulative={results.cumulative}
          metric={experiment.primaryMetric ?? 'the primary metric'}
        />
      )}
    </>
  );
}

function NoData({ experiment: { content } }: Pick<ResultsSectionsProps, 'experiment'>) {
  return (
    <EmptyState icon={<IconHourglass aria-hidden />} title="No player has seen it yet">
      The game reports when a player sees {content}: the client kits do so with{' '}
      <span className="mono">expose</span>, other clients with{' '}
      <span className="mono">POST /api/v1/events</span>. Results appear here a minute or two later.
    </EmptyState>
  );
}

function Metrics({ experiment: { control }, results }: ResultsSectionsProps) {
  const { variants, computedAt, dataUntil, sources } = results;
  const [isAll, setIsAll] = useState(false);
  const others = results.metrics.filter(({ role }) => role === 'other').length;
  const metrics = results.metrics.filter(({ role }) => isAll || role !== 'other');
  if (results.metrics.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The environment has no metrics. Define one, and choose in the plan what decides.
      </Text>
    );
  }
  const names = variants.map(({ name }) => name);
  const isReported = metrics.some(({ clientReported }) => clientReported);
  const isAdjusted = metrics.some(({ comparisons }) => comparisons.some((one) => one.adjusted));
  return (
    <>
      <MetricTable
        metrics={metrics}
        variants={names}
        control={control}
        label="Metrics by variant"
      />
      {others > 0 && (
        <Switch
          size="sm"
          label={`Also ${counted(others, 'metric')} that the plan does not name`}
          checked={isAll}
          onChange={(event) => setIsAll(event.currentTarget.checked)}
        />
      )}
      <Text size="xs" c="dimmed" component="div">
        Each interval contains the true change in 95 of 100 experiments, however often you look.{' '}
        {isAdjusted &&
          'Changes take out what players did before their first exposure (CUPED), so they can differ from those of the values. '}
        {isReported &&
          'Client-reported: any client can send these events, so check revenue against the store. '}
        Computed <When at={computedAt} span inherit />
        {dataUntil !== null && (
          <>
            , with events up to <When at={dataUntil} span inherit />
          </>
        )}
        .
      </Text>
      {sources.notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  );
}
