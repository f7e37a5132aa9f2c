/** What differs, and which of it to sync: filters, search, the list, and the bar that continues. */
import { Alert, Button, Checkbox, Chip, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import type { SyncReport } from '../../contract/operations/sync.js';
import { IconAlertTriangle, IconInfoCircle, IconSearch } from '../icons/icons.js';
import { When } from '../parts/time/when.js';
import { TitledAlert } from '../parts/titled-alert.js';
import { usePublishReason } from '../session/edit-rights.js';
import { SegmentsAlong } from './segments-along.js';
import {
  countByFilter,
  countOf,
  passes,
  type SyncFilter,
  type SyncItem,
  segmentsOf,
  syncFilters,
} from './sync-items.js';
import { SyncList } from './sync-list.js';
import { useSyncSides } from './sync-sides.js';

/** The API accepts no more in one call. */
const idsMax = 10_000;

export interface SyncChoiceProps {
  readonly report: SyncReport;
  readonly items: readonly SyncItem[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  readonly comparedAtMs: number;
  readonly isComparing: boolean;
  readonly onCompare: () => void;
  readonly onReview: () => void;
}

const filterNames: Readonly<Record<SyncFilter, string>> = {
  changes: 'All changes',
  added: 'Added',
  changed: 'Changed',
  conflicts: 'Conflicts',
  unchanged: 'Unchanged',
  'only-here': 'Only here',
};

export function SyncChoice(props: SyncChoiceProps) {
  const { report, items, chosen, onChoose } = props;
  const [filter, setFilter] = useState<SyncFilter>('changes');
  const asked = new URLSearchParams(useSearch()).get('q') ?? '';
  const [search, setSearch] = useState(asked);
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const counts = useMemo(() => countByFilter(items), [items]);
  const shown = useMemo(
    () => items.filter((item) => passes(item, filter) && item.id.toLowerCase().includes(wanted)),
    [items, filter, wanted],
  );
  const segments = useMemo(() => segmentsOf(report, chosen), [report, chosen]);
  const conflicts = items.filter(({ id, change }) => change?.conflict && chosen.has(id)).length;
  const choose = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    onChoose(next);
  };

  const publishReason = usePublishReason(useSyncSides().target.id);

  return (
    <Stack gap="md">
      {publishReason !== null && (
        <Alert color="blue" variant="light" p="xs" icon={<IconInfoCircle aria-hidden />}>
          {publishReason} What you select becomes drafts and a release.
        </Alert>
      )}
      {counts.conflicts > 0 && (
        <ConflictsAlert
          count={counts.conflicts}
          chosenCount={conflicts}
          {...(filter !== 'conflicts' && { onShow: () => setFilter('conflicts') })}
        />
      )}
      <Chip.Group
        value={filter}
        onChange={(value) => setFilter(syncFilters.find((one) => one === value) ?? 'changes')}
      >
        <Group gap={6} role="radiogroup" aria-label="Show">
          {syncFilters
            .filter((one) => one === 'changes' || one === filter || counts[one] > 0)
            .map((one) => (
              <Chip key={one} value={one} size="sm">
                {filterNames[one]} {counts[one]}
              </Chip>
            ))}
        </Group>
      </Chip.Group>
      <Group justify="space-between" gap="sm">
        <TextInput
          aria-label="Search by id"
          placeholder="Search by id"
          w={{ base: '100%', xs: 320 }}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            Compared <When at={new Date(props.comparedAtMs).toISOString()} size="xs" span />
          </Text>
          <Button size="xs" variant="default" loading={props.isComparing} onClick={props.onCompare}>
            Compare again
          </Button>
        </Group>
      </Group>
      <Paper withBorder>
        <SelectAll shown={shown} chosen={chosen} onChoose={choose} />
        {shown.length === 0 ? (
          <Text p="md" size="sm" c="dimmed" role="status">
            {wanted === '' ? 'None of these.' : `No id here contains “${search.trim()}”.`}
          </Text>
        ) : (
          <SyncList items={shown} chosen={chosen} onToggle={(id, isOn) => choose([id], isOn)} />
        )}
      </Paper>
      {segments.length > 0 && <SegmentsAlong segments={segments} items={items} />}
      <ReviewBar
        count={chosen.size}
        selected={[
          countOf(chosen.size, 'item'),
          ...(segments.length > 0 ? [countOf(segments.length, 'segment')] : []),
          ...(conflicts > 0 ? [countOf(conflicts, 'conflict')] : []),
        ]}
        onReview={props.onReview}
      />
    </Stack>
  );
}

interface ConflictsAlertProps {
  readonly count: number;
  readonly chosenCount: number;
  /** Absent: the list shows the conflicts. */
  readonly onShow?: () => void;
}

function ConflictsAlert({ count, chosenCount, onShow }: ConflictsAlertProps) {
  const { source, target } = useSyncSides();
  return (
    <TitledAlert
      color="orange"
      icon={<IconAlertTriangle aria-hidden />}
      title={`${countOf(count, 'item')} ${count === 1 ? 'was' : 'were'} edited in ${target.name} itself`}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          A sync replaces those edits with what is live in {source.name}; they stay in the history.{' '}
          {chosenCount === 0
            ? 'They are left out unless you select them.'
            : `${chosenCount} of them ${chosenCount === 1 ? 'is' : 'are'} selected.`}
        </Text>
        {onShow !== undefined && (
          <Button size="xs" variant="default" onClick={onShow}>
            Show them
          </Button>
        )}
      </Stack>
    </TitledAlert>
  );
}

interface SelectAllProps {
  readonly shown: readonly SyncItem[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: readonly string[], isOn: boolean) => void;
}

function SelectAll({ shown, chosen, onChoose }: SelectAllProps) {
  const changes = shown.filter(({ change }) => change !== null);
  // To overwrite an edit made in the target is a decision about that one item, unless only such items are listed.
  const safe = changes.filter(({ change }) => change?.conflict === false);
  const ids = (safe.length > 0 ? safe : changes).map(({ id }) => id);
  const count = ids.filter((id) => chosen.has(id)).length;
  if (ids.length === 0) return null;
  return (
    <Group px="md" py="xs" gap="md">
      <Checkbox
        label={`Select all${ids.length < changes.length ? ' without conflicts' : ''} (${count} of ${ids.length})`}
        checked={count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={(event) => onChoose(ids, event.currentTarget.checked)}
      />
    </Group>
  );
}

interface ReviewBarProps {
  readonly count: number;
  /** What is selected, such as "2 items". */
  readonly selected: readonly string[];
  readonly onReview: () => void;
}

/** Stays in sight below a list of thousands. */
function ReviewBar({ count, selected, onReview }: ReviewBarProps) {
  const { target } = useSyncSides();
  const publishReason = usePublishReason(target.id);
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      style={{ position: 'sticky', bottom: 'var(--mantine-spacing-md)', zIndex: 2 }}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {count === 0 ? 'Nothing selected.' : `Selected: ${selected.join(', ')}`}
        </Text>
        <Group gap="sm">
          {count > idsMax && (
            <Text size="sm" c="dimmed">
              At most {idsMax} at once: select fewer, and sync again.
            </Text>
          )}
          <Button disabled={count === 0 || count > idsMax} onClick={onReview}>
            {publishReason === null ? 'Review and sync…' : 'Review and make a release…'}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
