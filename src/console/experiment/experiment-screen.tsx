/** One experiment: loaded, or why it cannot be shown. */
import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { ApiProblem } from '../api/call.js';
import { useExperiment } from '../experiments/experiment-queries.js';
import { IconFlask } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ExperimentPage } from './page/experiment-page.js';

export function ExperimentScreen() {
  const { env = '', id = '' } = useParams<{ env: string; id: string }>();
  const experiment = useExperiment(env, id);
  const { error, data } = experiment;
  if (data !== undefined)
    return <ExperimentPage key={`${env}/${id}`} env={env} experiment={data} />;
  const isMissing = error instanceof ApiProblem && (error.status === 404 || error.status === 400);
  return (
    <Page title={id}>
      {isMissing ? (
        <EmptyState
          icon={<IconFlask aria-hidden />}
          title="This experiment does not exist"
          action={
            <Button component={Link} href={pathOf.experiments(env)}>
              All experiments
            </Button>
          }
        >
          It may be one of another environment, or a draft that was deleted.
        </EmptyState>
      ) : (
        <Loaded query={experiment} label="Loading the experiment" rows={3} rowHeight={120}>
          {() => null}
        </Loaded>
      )}
    </Page>
  );
}
