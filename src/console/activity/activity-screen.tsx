/** The activity: each change with its user, time and origin. */
import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { AuditIndex } from '../../contract/operations/audit.js';
import { request } from '../api/call.js';
import { IconActivity, IconDownload, IconFilterOff } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { useEnvironments } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { exactTime } from '../parts/time/formats.js';
import { useIsOwner, useSession } from '../session/session.js';
import {
  type ActivityFilter,
  exportPath,
  filterOf,
  paramsOf,
  partsOf,
  queryOf,
} from './activity-filter.js';
import { ActivityFilters } from './activity-filters.js';
import { ActivityTable } from './activity-table.js';
import { describeEvent, sentenceOf } from './describe-event.js';
import type { KnownPlaces } from './event-place.js';
import { useActivity } from './use-activity.js';

export function ActivityScreen() {
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
  const isOwner = useSession().role === 'owner';
  const newest = events[0];
  return (
    <Page
      title="Activity"
      description={
        isOwner
          ? 'All changes, newest first. New events appear on their own.'
          : 'The changes of your environments, newest first. New events appear on their own.'
      }
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
      <IndexNotice index={activity.index} />
      <Loaded query={activity} label="Loading the activity" rows={6} rowHeight={44}>
        {() =>
          events.length === 0 ? (
            <Nothing filter={filter} onChange={change} onClear={clear} />
          ) : (
            <ActivityTable activity={activity} places={places} hasAddresses={isOwner} />
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
  readonly filter: ActivityFilter;
  readonly onChange: (change: Partial<ActivityFilter>) => void;
  readonly onClear: () => void;
}

/** Says what was looked for, and offers to look for less. */
function Nothing({ filter, onChange, onClear }: NothingProps) {
  const parts = partsOf(filter);
  if (parts.length === 0) {
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
        <Group gap="xs" justify="center">
          {parts.length > 1 &&
            parts.map(({ label, without }) => (
              <Button key={label} variant="default" onClick={() => onChange(without)}>
                Without {label}
              </Button>
            ))}
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        </Group>
      }
    >
      Searched for {list.format(parts.map(({ label }) => label))}. Person and name must match in
      full; the search finds parts of them.
    </EmptyState>
  );
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** What a search by path and value may have missed. */
function IndexNotice({ index }: { readonly index: AuditIndex | null }) {
  if (index === null) return null;
  const { from, until, cut } = index;
  const notices = [
    from === null
      ? ''
      : `Changes before ${exactTime(from)} are still being indexed: a search by path or value does not find them yet.`,
    until === null ? '' : `Changes after ${exactTime(until)} are being indexed.`,
    cut === 0
      ? ''
      : `${cut >= cutCountedMax ? 'At least ' : ''}${counted(cut, 'large change')} in this range ${cut === 1 ? 'is' : 'are'} indexed in part: a search by path or value may miss them. Search for the item’s name to see them.`,
  ].filter((text) => text !== '');
  if (notices.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="note">
      {notices.join(' ')}
    </Text>
  );
}

/** As many as the server counts. */
const cutCountedMax = 100;

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
