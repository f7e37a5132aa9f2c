/** The activity: each change with its user, time and origin. */
import { Badge, Button, VisuallyHidden } from '@mantine/core';
import { IconActivity, IconDownload, IconFilterOff, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { request } from '../api/call.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { useEnvironments } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { useIsOwner, useSession } from '../session/session.js';
import { type ActivityFilter, exportPath, filterOf, paramsOf, queryOf } from './activity-filter.js';
import { ActivityFilters } from './activity-filters.js';
import { ActivityTable } from './activity-table.js';
import { describeEvent, sentenceOf } from './describe-event.js';
import type { KnownPlaces } from './event-place.js';
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
        You are {role === 'editor' ? 'an editor' : 'a viewer'}. The activity names people and their
        addresses. You can read the history of each content item instead.
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
    // Typed filters arrive after a pause; by then another screen may be open.
    if (window.location.pathname !== path) return;
    setParams((before) => paramsOf({ ...filterOf(before), ...changed }), { replace: true });
  };
  const clear = (): void => setParams(new URLSearchParams(), { replace: true });
  const activity = useActivity(filter);
  const { events, fresh, isLive } = activity;
  const places = usePlaces();
  const newest = events[0];
  return (
    <Page
      title="Activity"
      description="All changes, newest first. New events appear on their own."
      actions={
        <>
          <LiveBadge isLive={isLive} />
          <Button
            component="a"
            href={exportPath(queryOf(filter, Date.now()))}
            download="loadout-activity.ndjson"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            title="All events of this filter, oldest first, one JSON object per line"
          >
            Export
          </Button>
        </>
      }
    >
      <ActivityFilters filter={filter} onChange={change} onClear={clear} />
      <VisuallyHidden role="status">
        {newest !== undefined && fresh.has(newest.id)
          ? `New: ${sentenceOf(newest.userName, describeEvent(newest))}`
          : ''}
      </VisuallyHidden>
      <Loaded query={activity} label="Loading the activity" rows={6} rowHeight={44}>
        {() =>
          events.length === 0 ? (
            <Nothing hasFilter={search !== ''} onClear={clear} />
          ) : (
            <ActivityTable activity={activity} places={places} />
          )
        }
      </Loaded>
    </Page>
  );
}

function LiveBadge({ isLive }: { readonly isLive: boolean }) {
  return (
    <Badge
      variant={isLive ? 'dot' : 'default'}
      color="teal"
      size="lg"
      title={isLive ? 'New events appear as they happen' : 'New events do not appear at the moment'}
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
        Every change made in the console, with the command or over the API appears here.
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
      Person and name must match in full.
    </EmptyState>
  );
}

/** The environments and webhooks that still exist and can be linked to. */
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
