/** What one revision of a segment changed over another. */
import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { ApiProblem } from '../api/call.js';
import { pathOf } from '../parts/environments.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { fetchSegmentRevision, segmentKeys } from '../segments/segment-api.js';
import type { ComparedRevisions } from './compared-revisions.js';

const ConditionTexts = lazy(async () => ({
  default: (await import('../segments/history/condition-diff.js')).ConditionTexts,
}));

export function SegmentChanges({ env, id, from, to }: ComparedRevisions) {
  const { data, error, refetch } = useQuery({
    queryKey: [...segmentKeys.history(env, id), 'compared', from, to],
    queryFn: async ({ signal }) => {
      const [before, after] = await Promise.all([
        from === null ? '' : fetchSegmentRevision(env, id, from, signal).then(({ when }) => when),
        fetchSegmentRevision(env, id, to, signal).then(({ when }) => when),
      ]);
      return { before, after };
    },
    // Revisions never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <Text size="sm" c="dimmed">
        The conditions cannot be shown any more: one of the revisions is no longer kept.
      </Text>
    );
  }
  if (error !== null) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton h={120} aria-label="Loading what changed" />;
  return (
    <Stack gap="md">
      <Suspense fallback={<Skeleton h={120} />}>
        <ConditionTexts
          before={data.before}
          after={data.after}
          beforeLabel={from === null ? 'Before: nothing' : `Revision ${from}`}
          afterLabel={`Revision ${to}`}
        />
      </Suspense>
      <Anchor
        component={Link}
        href={pathOf.segment(env, id, 'history')}
        size="sm"
        underline="always"
      >
        The whole history of {id}
      </Anchor>
    </Stack>
  );
}
