/** From the dry run to the result: compares, offers the choice, confirms it, and shows what was done. */
import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { SyncReport } from '../../contract/operations/sync.js';
import { IconCircleCheck } from '../icons/icons.js';
import { askedChoice, forgetChoice } from '../parts/asked-sync.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { usePublishReason } from '../session/edit-rights.js';
import { SyncChoice } from './sync-choice.js';
import { keptChoice, proposedChoice, syncItems } from './sync-items.js';
import { SyncResult } from './sync-result.js';
import { SyncReview } from './sync-review.js';
import { requestSync, useSyncSides } from './sync-sides.js';

export function SyncComparison() {
  const sides = useSyncSides();
  const { source, target } = sides;
  const [done, setDone] = useState<SyncReport | null>(null);
  // Where nothing may go live without a release, only what a release would take can be asked for.
  const isRelease = usePublishReason(target.id) !== null;
  const dryRun = useQuery({
    queryKey: ['environments', target.id, 'sync', source.id, isRelease],
    queryFn: () => requestSync(sides, { dryRun: true, ...(isRelease && { release: source.name }) }),
    // The list must not move during the choice; the sync itself is rejected when something changed.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data: report, error, isFetching } = dryRun;
  const compare = (): void => void dryRun.refetch();

  if (done !== null) {
    const again = (): void => {
      setDone(null);
      compare();
    };
    return <SyncResult report={done} onMore={again} />;
  }
  if (report === undefined) {
    if (error !== null && !isFetching) {
      const title = 'The environments could not be compared';
      return <ProblemAlert title={title} error={error} onRetry={compare} />;
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
  const comparison = { report, isComparing: isFetching, onCompare: compare };
  if (report.added.length + report.changed.length === 0) return <NothingToSync {...comparison} />;
  return (
    <>
      {error !== null && (
        <ProblemAlert
          title="The comparison failed. The list may be out of date"
          error={error}
          onRetry={compare}
        />
      )}
      <Differences {...comparison} comparedAtMs={dryRun.dataUpdatedAt} onDone={setDone} />
    </>
  );
}

interface ComparisonProps {
  readonly report: SyncReport;
  readonly isComparing: boolean;
  readonly onCompare: () => void;
}

function NothingToSync({ report, isComparing, onCompare }: ComparisonProps) {
  const { source, target } = useSyncSides();
  const { unchanged, onlyHere } = report;
  return (
    <EmptyState
      icon={<IconCircleCheck />}
      title={unchanged.length === 0 ? 'Nothing is live there' : 'No differences'}
      action={
        <Group gap="xs" justify="center">
          <Button variant="default" onClick={onCompare} loading={isComparing}>
            Compare again
          </Button>
          <Button component={Link} href={pathOf.contents(source.id)} variant="default">
            Content of {source.name}
          </Button>
        </Group>
      }
    >
      {unchanged.length === 0
        ? `${source.name} has no published content. Publish an item there first.`
        : `All ${unchanged.length} items that are live in ${source.name} are the same in ${target.name}. Drafts are not included: publish them first.`}
      {onlyHere.length > 0 &&
        ` ${onlyHere.length} more are only in ${target.name}; a sync does not change them.`}
    </EmptyState>
  );
}

interface DifferencesProps extends ComparisonProps {
  readonly comparedAtMs: number;
  readonly onDone: (report: SyncReport) => void;
}

function Differences({ onDone, ...comparison }: DifferencesProps) {
  const { report, onCompare } = comparison;
  const { source, target } = useSyncSides();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const items = useMemo(() => syncItems(report), [report]);
  /** Null: what is proposed. */
  const [picked, setPicked] = useState(() => askedChoice(source.id, target.id));
  useEffect(forgetChoice, []);
  const [isReviewing, setIsReviewing] = useState(false);
  const chosen = useMemo(
    () => (picked === null ? proposedChoice(items) : keptChoice(picked, items)),
    [picked, items],
  );
  return (
    <>
      <SyncChoice
        {...comparison}
        items={items}
        chosen={chosen}
        onChoose={setPicked}
        onReview={() => setIsReviewing(true)}
      />
      {isReviewing && (
        <SyncReview
          looked={report}
          ids={[...chosen]}
          onClose={() => setIsReviewing(false)}
          onStale={() => {
            // The choice stays: a new difference does not join it unasked.
            setPicked(chosen);
            onCompare();
          }}
          onDone={(result) => {
            if (result.release === null) onDone(result);
            else go(pathOf.release(target.id, result.release));
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
