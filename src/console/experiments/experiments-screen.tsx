/** The experiments of an environment: state, health, days and what leads, and the way to make one. */
import { Button, Select } from '@mantine/core';
import { Link, useParams, useSearchParams } from 'wouter';
import type { ExperimentState } from '../../contract/schemas/experiment.js';
import { IconFilterOff, IconFlask, IconPlus } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { useExperiments } from './experiment-queries.js';
import { useExperimentReadOnlyReason } from './experiment-rights.js';
import { ExperimentTable } from './experiment-table.js';
import { ExperimentTabs } from './experiment-tabs.js';
import { isExperimentState, stateLabels } from './words/experiment-states.js';

export function ExperimentsScreen() {
  const { env = '' } = useParams<{ env: string }>();
  return <ExperimentsOf key={env} env={env} />;
}

function ExperimentsOf({ env }: { readonly env: string }) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('state');
  const state = isExperimentState(asked) ? asked : null;
  const experiments = useExperiments(env, state);
  const readOnlyReason = useExperimentReadOnlyReason(env);
  const show = (chosen: ExperimentState | null): void =>
    setSearch(chosen === null ? {} : { state: chosen }, { replace: true });
  const create = readOnlyReason === null && (
    <Button
      component={Link}
      href={pathOf.newExperiment(env)}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      New experiment
    </Button>
  );
  return (
    <Page
      title="Experiments"
      description="What A/B tests did: who was in, whether it was fair, and what changed."
      actions={create}
    >
      <ExperimentTabs env={env} />
      <Loaded query={experiments} label="Loading the experiments" rows={4} rowHeight={56}>
        {(rows) => {
          if (rows.length === 0 && state === null) {
            return (
              <EmptyState
                icon={<IconFlask aria-hidden />}
                title="No experiments yet"
                action={create}
              >
                An A/B test gives players different values. An experiment says what that did: it
                counts who was in, checks that the split was fair, and compares the metrics that you
                choose beforehand.
              </EmptyState>
            );
          }
          return (
            <>
              <Select
                label="State"
                w={200}
                clearable
                placeholder="All"
                data={Object.entries(stateLabels).map(([value, label]) => ({ value, label }))}
                value={state}
                onChange={(chosen) => show(isExperimentState(chosen) ? chosen : null)}
              />
              {rows.length === 0 ? (
                <EmptyState
                  icon={<IconFilterOff />}
                  title="No experiment is in this state"
                  action={
                    <Button variant="default" onClick={() => show(null)}>
                      Show all
                    </Button>
                  }
                />
              ) : (
                <ExperimentTable env={env} rows={rows} />
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
