/** The releases of an environment: a list with their states, and the way to make one. */
import { Anchor, Box, Button, Select, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import type { ReleaseState, ReleaseSummary } from '../../contract/schemas/release.js';
import { IconFilterOff, IconPlus, IconRocket } from '../icons/icons.js';
import { useCommands } from '../palette/use-commands.js';
import { counted } from '../parts/counted.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { When } from '../parts/time/when.js';
import { formatZoned } from '../parts/time/zoned.js';
import { NewRelease } from './new-release.js';
import { useReleases } from './release-queries.js';
import { useReleaseReadOnlyReason } from './release-rights.js';
import { StateBadge } from './state-badge.js';
import { isReleaseState, stateLabels } from './words/release-states.js';

export function ReleasesScreen() {
  const { env = '' } = useParams<{ env: string }>();
  return <ReleasesOf key={env} env={env} />;
}

function ReleasesOf({ env }: { readonly env: string }) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('state');
  const state = isReleaseState(asked) ? asked : null;
  const releases = useReleases(env, state);
  const readOnlyReason = useReleaseReadOnlyReason();
  const [, go] = useLocation();
  const [isMaking, setIsMaking] = useState(false);
  const show = (chosen: ReleaseState | null): void =>
    setSearch(chosen === null ? {} : { state: chosen }, { replace: true });
  useCommands([
    {
      name: 'New release…',
      keywords: ['create'],
      disabledReason: readOnlyReason,
      run: () => setIsMaking(true),
    },
  ]);
  const create = readOnlyReason === null && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsMaking(true)}>
      New release
    </Button>
  );
  return (
    <Page
      title="Releases"
      description="Changes that are reviewed, scheduled, ramped and reverted as one."
      actions={create}
    >
      <Loaded query={releases} label="Loading the releases" rows={5} rowHeight={48}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.releases);
          if (rows.length === 0 && state === null) {
            return (
              <EmptyState icon={<IconRocket />} title="No releases yet" action={create}>
                A release makes several changes live together, first for a few players if you want.
                It stops by itself when they fare worse.
              </EmptyState>
            );
          }
          return (
            <>
              <StateFilter state={state} onChange={show} />
              {rows.length === 0 ? (
                <NoneInState onClear={() => show(null)} />
              ) : (
                <ReleaseTable env={env} rows={rows} older={releases} />
              )}
            </>
          );
        }}
      </Loaded>
      {isMaking && (
        <NewRelease
          env={env}
          onClose={() => setIsMaking(false)}
          onMade={(made) => go(pathOf.release(env, made.release))}
        />
      )}
    </Page>
  );
}

interface StateFilterProps {
  readonly state: ReleaseState | null;
  readonly onChange: (state: ReleaseState | null) => void;
}

function StateFilter({ state, onChange }: StateFilterProps) {
  return (
    <Select
      label="State"
      w={200}
      clearable
      placeholder="All"
      data={Object.entries(stateLabels).map(([value, label]) => ({ value, label }))}
      value={state}
      onChange={(chosen) => onChange(isReleaseState(chosen) ? chosen : null)}
    />
  );
}

function NoneInState({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<IconFilterOff />}
      title="No release is in this state"
      action={
        <Button variant="default" onClick={onClear}>
          Show all
        </Button>
      }
    />
  );
}

interface ReleaseTableProps {
  readonly env: string;
  readonly rows: readonly ReleaseSummary[];
  readonly older: ReturnType<typeof useReleases>;
}

function ReleaseTable({ env, rows, older }: ReleaseTableProps) {
  const columns = useMemo(() => columnsOf(env), [env]);
  return (
    <DataTable
      aria-label="Releases"
      columns={columns}
      rows={rows}
      keyOf={({ release }) => String(release)}
      older={older}
    />
  );
}

function columnsOf(env: string): Column<ReleaseSummary>[] {
  return [
    {
      title: 'Release',
      isHeader: true,
      cell: ({ release, title, reason, scheduledAt, state }) => (
        <Box style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} href={pathOf.release(env, release)} fw={600} size="sm">
            #{release} {title}
          </Anchor>
          {state === 'scheduled' && scheduledAt !== null && (
            <Text size="xs">{formatZoned(scheduledAt)}</Text>
          )}
          {reason !== '' && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              {reason}
            </Text>
          )}
        </Box>
      ),
    },
    { title: 'State', cell: (release) => <StateBadge of={release} /> },
    {
      title: 'Changes',
      visibleFrom: 'sm',
      cell: ({ changes }) => <Text size="sm">{counted(changes, 'change')}</Text>,
    },
    {
      title: 'Made by',
      visibleFrom: 'sm',
      cell: ({ createdBy, createdAt }) => (
        <>
          <Text size="sm">{createdBy}</Text>
          <When at={createdAt} size="xs" c="dimmed" />
        </>
      ),
    },
    {
      title: 'Last change',
      visibleFrom: 'md',
      cell: ({ updatedAt }) => <When at={updatedAt} size="sm" />,
    },
  ];
}
