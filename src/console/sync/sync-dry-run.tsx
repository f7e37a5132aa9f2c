/** From the dry run to the result: compares, lets people choose, has it confirmed, and says what was done. */
import { Button, Group, Loader, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import type { SyncReport } from '../../contract/operations/sync.js';
import { request } from '../api/call.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { SyncChoice } from './sync-choice.js';
import { keptChoice, proposedChoice, syncItems } from './sync-items.js';
import { SyncResult } from './sync-result.js';
import { SyncReview } from './sync-review.js';

export interface SyncDryRunProps {
  readonly source: Environment;
  readonly target: Environment;
}

export function SyncDryRun({ source, target }: SyncDryRunProps) {
  const queries = useQueryClient();
  const dryRun = useQuery({
    queryKey: ['environments', target.id, 'sync', source.id],
    queryFn: () =>
      request('POST /environments/:env/sync', {
        params: { env: target.id },
        body: { from: source.id, dryRun: true },
      }),
    // It is looked at for as long as the choice takes; the sync itself is refused when something moved.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const report = dryRun.data;
  const items = useMemo(() => (report === undefined ? [] : syncItems(report)), [report]);
  /** Null: what is proposed. */
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  const chosen = useMemo(
    () => (picked === null ? proposedChoice(items) : keptChoice(picked, items)),
    [picked, items],
  );
  const [isReviewing, setIsReviewing] = useState(false);
  const [done, setDone] = useState<SyncReport | null>(null);

  if (done !== null) {
    return (
      <SyncResult
        source={source}
        target={target}
        report={done}
        onMore={() => {
          setDone(null);
          setPicked(null);
          void dryRun.refetch();
        }}
      />
    );
  }
  if (report === undefined) {
    if (dryRun.error !== null && !dryRun.isFetching) {
      return (
        <ProblemAlert
          title="The environments could not be compared"
          error={dryRun.error}
          onRetry={() => void dryRun.refetch()}
        />
      );
    }
    return (
      <Group gap="sm" py="xl" justify="center" role="status">
        <Loader size="sm" aria-hidden />
        <Text size="sm">
          Comparing {source.name} with {target.name}…
        </Text>
      </Group>
    );
  }
  if (report.added.length + report.changed.length === 0) {
    return (
      <EmptyState
        icon={<IconCircleCheck />}
        title={
          report.unchanged.length === 0 ? 'Nothing is live there' : 'Nothing to bring: they agree'
        }
        action={
          <Group gap="xs" justify="center">
            <Button
              variant="default"
              onClick={() => void dryRun.refetch()}
              loading={dryRun.isFetching}
            >
              Compare again
            </Button>
            <Button component={Link} href={pathOf.contents(source.id)} variant="default">
              Contents of {source.name}
            </Button>
          </Group>
        }
      >
        {report.unchanged.length === 0
          ? `${source.name} has no published content. Publish one there first.`
          : `All ${report.unchanged.length} contents that are live in ${source.name} are the same in ${target.name}. Drafts are not brought: publish them first.`}
        {report.onlyHere.length > 0 &&
          ` ${report.onlyHere.length} more are only in ${target.name}; a sync leaves them alone.`}
      </EmptyState>
    );
  }
  return (
    <>
      {dryRun.error !== null && (
        <ProblemAlert
          title="It could not be compared again: what is shown may have changed"
          error={dryRun.error}
          onRetry={() => void dryRun.refetch()}
        />
      )}
      <SyncChoice
        source={source}
        target={target}
        report={report}
        items={items}
        chosen={chosen}
        onChoose={setPicked}
        comparedAtMs={dryRun.dataUpdatedAt}
        isComparing={dryRun.isFetching}
        onCompare={() => void dryRun.refetch()}
        onReview={() => setIsReviewing(true)}
      />
      {isReviewing && (
        <SyncReview
          source={source}
          target={target}
          looked={report}
          ids={[...chosen]}
          onClose={() => setIsReviewing(false)}
          onStale={() => {
            // What was chosen stays chosen, and nothing that is new joins it unasked.
            setPicked(chosen);
            void dryRun.refetch();
          }}
          onDone={(result) => {
            setIsReviewing(false);
            setDone(result);
            void queries.invalidateQueries({
              queryKey: ['environments', target.id],
              predicate: ({ queryKey }) => queryKey[2] !== 'sync',
            });
            void queries.invalidateQueries({ queryKey: ['audit'] });
          }}
        />
      )}
    </>
  );
}
