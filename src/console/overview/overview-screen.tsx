/** The first screen of an environment: what is on, what comes, what is wrong, and what waits for the user. */
import { Button, Group, Stack } from '@mantine/core';
import { Link, useParams } from 'wouter';
import type { Overview } from '../../contract/operations/overview.js';
import { ApiProblem } from '../api/call.js';
import { IconFilePlus } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { UnknownEnvironment } from '../parts/unknown-environment.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { LatestChanges } from './latest-changes.js';
import { NeedsYou } from './needs-you.js';
import { OtherDrafts } from './other-drafts.js';
import styles from './overview.module.css';
import { useOverview } from './overview-queries.js';
import { OverviewTimeline } from './overview-timeline.js';
import { StateRow } from './state-row.js';
import { Wrong } from './wrong.js';

export function OverviewScreen() {
  const { env = '' } = useParams<{ env: string }>();
  return <OverviewOf key={env} env={env} />;
}

function OverviewOf({ env }: { readonly env: string }) {
  const query = useOverview(env);
  const { error } = query;
  if (error instanceof ApiProblem && error.code === 'environment_not_found') {
    return (
      <Page title="Overview">
        <UnknownEnvironment env={env} />
      </Page>
    );
  }
  return (
    <Page title="Overview">
      <Loaded query={query} label="Loading the overview" rows={4} rowHeight={64}>
        {(overview) => <Board env={env} overview={overview} />}
      </Loaded>
    </Page>
  );
}

interface BoardProps {
  readonly env: string;
  readonly overview: Overview;
}

function Board({ env, overview }: BoardProps) {
  const isEmpty = overview.contents.total === 0;
  return (
    <Stack gap="lg">
      <StateRow env={env} overview={overview} />
      {isEmpty ? <NothingYet env={env} /> : <OverviewTimeline env={env} overview={overview} />}
      <div className={styles['columns']}>
        <NeedsYou env={env} overview={overview} />
        <Wrong env={env} overview={overview} />
      </div>
      {!isEmpty && (
        <div className={styles['columns']}>
          <LatestChanges env={env} overview={overview} />
          <OtherDrafts env={env} overview={overview} />
        </div>
      )}
    </Stack>
  );
}

function NothingYet({ env }: { readonly env: string }) {
  const isReadOnly = useReadOnlyReason() !== null;
  return (
    <EmptyState
      icon={<IconFilePlus aria-hidden />}
      title="There is no content here yet"
      action={
        !isReadOnly && (
          <Group justify="center">
            <Button component={Link} href={pathOf.contents(env)}>
              Create a content item
            </Button>
            <Button component={Link} href={pathOf.sync(env)} variant="default">
              Copy from another environment
            </Button>
            <Button component={Link} href={pathOf.environment(env)} variant="default">
              API keys
            </Button>
          </Group>
        )
      }
    >
      A content item is one JSON text that the game reads by its id. Once some are live, this page
      shows what players get, what is planned, and what needs attention.
    </EmptyState>
  );
}
