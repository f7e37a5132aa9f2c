/** One segment: its condition, where it is used, the sample users that match, and its history. */
import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { ApiProblem } from '../api/call.js';
import { IconUsersGroup } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { CopySegmentHere } from './copy-segment-here.js';
import { SegmentHistory } from './history/segment-history.js';
import { fetchSegment, segmentKeys } from './segment-api.js';
import { SegmentEditor } from './segment-editor.js';

/** How often the segment is requested again: colleagues save as well. */
const refreshMs = 15_000;

export function SegmentScreen() {
  const params = useParams<{ env: string; name: string; tab?: string }>();
  const { env = '', name = '', tab = '' } = params;
  const mayEdit = useReadOnlyReason() === null;
  const [search] = useSearchParams();
  const [, goTo] = useLocation();
  const isNew = search.has('new');
  const segment = useQuery({
    queryKey: segmentKeys.one(env, name),
    queryFn: ({ signal }) => fetchSegment(env, name, signal),
    refetchInterval: refreshMs,
    // A new segment cannot be requested before it is saved; saving fills this query.
    enabled: !isNew,
  });
  const { error } = segment;
  const isMissing = error instanceof ApiProblem && error.code === 'segment_not_found';
  const back = (
    <Anchor component={Link} href={pathOf.segments(env)} size="sm">
      Segments
    </Anchor>
  );
  if (isNew || segment.data !== undefined) {
    return (
      <SegmentEditor
        key={`${env}/${name}`}
        {...{ env, name, tab, back }}
        saved={segment.data ?? null}
        isGone={isMissing}
      />
    );
  }
  return (
    <Page title={name} description={back}>
      {isMissing ? (
        <>
          <EmptyState
            icon={<IconUsersGroup aria-hidden />}
            title="This segment does not exist"
            action={
              <Button onClick={() => goTo(`${pathOf.segment(env, name)}?new`)}>Create it</Button>
            }
          >
            It was deleted, or never existed in this environment.
          </EmptyState>
          <CopySegmentHere env={env} name={name} />
          <SegmentHistory env={env} name={name} current={null} mayEdit={mayEdit} isDirty={false} />
        </>
      ) : (
        <Loaded query={segment} label="Loading the segment" rows={2} rowHeight={120}>
          {() => null}
        </Loaded>
      )}
    </Page>
  );
}
