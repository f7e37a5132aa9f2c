/** One saved segment: who is in it, where it is used, whom of the sample users it takes, and what it has been. */
import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { ApiProblem } from '../api/call.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { SegmentHistory } from './history/segment-history.js';
import { fetchSegment, segmentKeys } from './segment-api.js';
import { SegmentEditor } from './segment-editor.js';

/** Colleagues save as well: how often it is looked. */
const lookEveryMs = 15_000;

export function SegmentScreen() {
  const {
    env = '',
    name = '',
    tab = '',
  } = useParams<{
    env: string;
    name: string;
    tab?: string;
  }>();
  const mayEdit = useReadOnlyReason(env) === null;
  const [search] = useSearchParams();
  const [, goTo] = useLocation();
  const isNew = search.has('new');
  const segment = useQuery({
    queryKey: segmentKeys.one(env, name),
    queryFn: ({ signal }) => fetchSegment(env, name, signal),
    refetchInterval: lookEveryMs,
    // A new one is not there to be asked for until it is saved, which answers this query.
    enabled: !isNew,
  });
  const { error } = segment;
  const isMissing = error instanceof ApiProblem && error.code === 'segment_not_found';
  const segments = (
    <Anchor component={Link} href={pathOf.segments(env)} size="sm">
      Segments
    </Anchor>
  );
  if (isNew || segment.data !== undefined) {
    return (
      <SegmentEditor
        key={`${env}/${name}`}
        env={env}
        name={name}
        tab={tab}
        saved={segment.data ?? null}
        back={segments}
        isGone={isMissing}
      />
    );
  }
  return (
    <Page title={name} description={segments}>
      {segment.isPending && (
        <Stack role="status" aria-label="Loading">
          <Skeleton height={60} />
          <Skeleton height={180} />
        </Stack>
      )}
      {isMissing && (
        <>
          <EmptyState
            icon={<IconUsersGroup aria-hidden />}
            title="There is no such segment"
            action={
              <Button onClick={() => goTo(`${pathOf.segment(env, name)}?new`)}>Create it</Button>
            }
          >
            It was deleted, or never was in this environment.
          </EmptyState>
          <SegmentHistory env={env} name={name} current={null} mayEdit={mayEdit} isDirty={false} />
        </>
      )}
      {error !== null && !isMissing && (
        <ProblemAlert error={error} onRetry={() => void segment.refetch()} />
      )}
    </Page>
  );
}
