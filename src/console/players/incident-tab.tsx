/** Incident: which players of a pasted list were given a value between two times, and when first. */
import { Stack } from '@mantine/core';
import { CohortForm } from './cohort-form.js';
import { useCohort } from './cohort-query.js';
import { CohortResults } from './cohort-results.js';

export interface IncidentTabProps {
  readonly environment: string;
}

export function IncidentTab({ environment }: IncidentTabProps) {
  const { run, start, stop } = useCohort();
  return (
    <Stack gap="lg">
      <CohortForm environment={environment} isRunning={run?.isRunning === true} onFind={start} />
      {run !== null && (
        <CohortResults run={run} onStop={stop} onRetry={() => start(run.question)} />
      )}
    </Stack>
  );
}
