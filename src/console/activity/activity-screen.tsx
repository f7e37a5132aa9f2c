/** Activity: who did what to what, when and from where. */
import { Badge, Button, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconActivity, IconDownload, IconFilterOff, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { request } from '../api/call.js';
import { EmptyState } from '../parts/empty-state.js';
import { useEnvironments } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useIsOwner, useSession } from '../session/session.js';
import { type ActivityFilter, exportPath, filterOf, paramsOf, queryOf } from './activity-filter.js';
import { ActivityFilters } from './activity-filters.js';
import { ActivityTable } from './activity-table.js';
import type { KnownPlaces } from './event-place.js';
import { sentenceOf, tell } from './event-words.js';
import { useActivity } from './use-activity.js';

export function ActivityScreen() {
  const isAllowed = useSession().role === 'owner';
  return isAllowed ? <Activity /> : <NotForYou />;
}

function NotForYou() {
  const { role } = useSession();
  return (
    <Page title="Activity">
      <EmptyState icon={<IconLock />} title="Only owners see the activity">
        You are {role === 'editor' ? 'an editor' : 'a viewer'}. It names people and the addresses
        they worked from. What was done to one content is in its history, which you may read.
      </EmptyState>
    </Page>
  );
}

function Activity() {
  const [params, setParams] = useSearchParams();
  const search = params.toString();
  const filter = useMemo(() => filterOf(new URLSearchParams(search)), [search]);
  const [path] = useLocation();
  const change = (changed: Partial<ActivityFilter>): void => {
    // A name is told a moment after it was typed: by then somebody may have gone elsewhere.
    if (window.location.pathname !== path) return;
    setParams((before) => paramsOf({ ...filterOf(before), ...changed }), { replace: true });
  };
  const clear = (): void => setParams(new URLSearchParams(), { replace: true });
  const asked = useActivity(filter, true);
  const { events, fresh, isLive, error, isPending, fetchNextPage } = asked;
  const places = usePlaces();
  const older = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const newest = events[0];
  return (
    <Page
      title="Activity"
      description="Who did what, newest first. New events appear by themselves."
      actions={
        <>
          <LiveBadge isLive={isLive} />
          <Button
            component="a"
            href={exportPath(queryOf(filter, Date.now()))}
            download="loadout-activity.ndjson"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            title="All events of this filter, oldest first, one JSON object a line"
          >
            Export
          </Button>
        </>
      }
    >
      <ActivityFilters filter={filter} onChange={change} onClear={clear} />
      <VisuallyHidden role="status">
        {newest !== undefined && fresh.has(newest.id)
          ? `New: ${sentenceOf(newest.userName, tell(newest))}`
          : ''}
      </VisuallyHidden>
      {error !== null && events.length === 0 ? (
        <ProblemAlert error={error} onRetry={() => void asked.refetch()} />
      ) : isPending ? (
        <Stack gap="xs" aria-hidden>
          {[0, 1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} h={44} />
          ))}
        </Stack>
      ) : events.length === 0 ? (
        <Nothing hasFilter={search !== ''} onClear={clear} />
      ) : (
        <ActivityTable
          events={events}
          fresh={fresh}
          places={places}
          hasOlder={asked.hasNextPage}
          isLoadingOlder={asked.isFetchingNextPage}
          onOlder={older}
        />
      )}
    </Page>
  );
}

function LiveBadge({ isLive }: { readonly isLive: boolean }) {
  return (
    <Badge
      variant={isLive ? 'dot' : 'default'}
      color="teal"
      size="lg"
      title={isLive ? 'New events appear as they happen' : 'New events do not appear now'}
    >
      {isLive ? 'Live' : 'Not live'}
    </Badge>
  );
}

interface NothingProps {
  readonly hasFilter: boolean;
  readonly onClear: () => void;
}

function Nothing({ hasFilter, onClear }: NothingProps) {
  if (!hasFilter) {
    return (
      <EmptyState icon={<IconActivity />} title="Nothing has happened yet">
        Whatever anybody changes, in the console, with the command or over the API, is shown here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconFilterOff />}
      title="Nothing matches these filters"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Person and name are looked for as a whole, not in parts.
    </EmptyState>
  );
}

/** What can be linked to, because it is still there. */
function usePlaces(): KnownPlaces {
  const { data: environments } = useEnvironments();
  const { data: webhooks } = useQuery({
    queryKey: ['webhooks'],
    enabled: useIsOwner(),
    queryFn: async () => (await request('GET /webhooks', {})).webhooks,
  });
  return useMemo(
    () => ({
      environments: new Set(environments?.map(({ id }) => id)),
      webhooks: new Map(
        webhooks?.map(({ id, description, url }) => [id, description || new URL(url).host]),
      ),
    }),
    [environments, webhooks],
  );
}
