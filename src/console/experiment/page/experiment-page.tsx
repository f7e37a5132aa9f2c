/** An experiment on its page: where it stands, whether it is fair, what it did, and its plan, log and decision beside that. */
import { Anchor, Grid, Group, Select, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { leadOf } from '../../../contract/results/lead.js';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import { useResults } from '../../experiments/experiment-queries.js';
import { useExperimentReadOnlyReason } from '../../experiments/experiment-rights.js';
import { StateBadge } from '../../experiments/state-badge.js';
import { dayLabel } from '../../experiments/words/days.js';
import { Loaded } from '../../parts/data/loaded.js';
import { pathOf } from '../../parts/environments.js';
import { Page } from '../../parts/page.js';
import { DecisionCard } from './decision-card.js';
import { DraftSteps } from './draft-steps.js';
import { LogSection } from './log-section.js';
import { PlanCard } from './plan-card.js';
import { ResultsSections } from './results-sections.js';
import { SegmentsSection } from './segments-section.js';
import { StatusBar } from './status-bar.js';

export interface ExperimentPageProps {
  readonly env: string;
  readonly experiment: Experiment;
}

export function ExperimentPage({ env, experiment }: ExperimentPageProps) {
  const { id, name, state, phase: latest, decision, decidedAt, log } = experiment;
  const [chosen, setChosen] = useState<number | null>(null);
  const phase = chosen ?? latest;
  const results = useResults(env, experiment, { phase: chosen ?? undefined });
  const readOnlyReason = useExperimentReadOnlyReason(env);
  const lead = results.data === undefined ? null : leadOf(results.data);
  return (
    <Page
      title={name}
      heading={
        <Group gap="xs">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <StateBadge state={state} />
        </Group>
      }
      description={
        <Group gap={6}>
          <Anchor component={Link} href={pathOf.experiments(env)} size="sm">
            Experiments
          </Anchor>
          <span aria-hidden>·</span>
          <span className="mono">{id}</span>
        </Group>
      }
    >
      <StatusBar {...{ env, experiment, lead, readOnlyReason }} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="xl" miw={0}>
            {latest > 1 && (
              <PhaseChoice experiment={experiment} phase={phase} onChange={setChosen} />
            )}
            {state === 'draft' ? (
              <DraftSteps env={env} experiment={experiment} />
            ) : (
              <>
                <Loaded query={results} label="Computing the result" rows={3} rowHeight={120}>
                  {(data) => <ResultsSections experiment={experiment} results={data} />}
                </Loaded>
                <SegmentsSection env={env} experiment={experiment} phase={phase} />
              </>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="xl" miw={0}>
            {decision !== null && (
              <DecisionCard env={env} decision={decision} decidedAt={decidedAt} />
            )}
            <PlanCard env={env} experiment={experiment} />
            <LogSection log={log} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

interface PhaseChoiceProps {
  readonly experiment: Experiment;
  readonly phase: number;
  readonly onChange: (phase: number) => void;
}

function PhaseChoice({ experiment: { phases }, phase, onChange }: PhaseChoiceProps) {
  return (
    <Select
      label="Phase"
      description="What assigns players to variants changed in between, so data of different phases are not mixed."
      maw={420}
      allowDeselect={false}
      data={phases.toReversed().map(({ number, startedAt, endedAt, reason }) => ({
        value: String(number),
        label: `${number}: ${dayLabel(startedAt.slice(0, 10))} to ${endedAt === null ? 'now' : dayLabel(endedAt.slice(0, 10))}, ${reason}`,
      }))}
      value={String(phase)}
      onChange={(value) => {
        if (value !== null) onChange(Number(value));
      }}
    />
  );
}
