/** What differs, and which of it is to be brought: filters, search, the list, and the bar that goes on. */
import { Alert, Button, Checkbox, Chip, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import type { SyncReport } from '../../contract/operations/sync.js';
import { When } from '../parts/when.js';
import { useMayEdit } from '../session/session.js';
import { SegmentsAlong } from './segments-along.js';
import {
  countByFilter,
  passes,
  type SyncFilter,
  type SyncItem,
  segmentsOf,
  syncFilters,
} from './sync-items.js';
import { SyncList } from './sync-list.js';

/** The API takes no more in one call. */
const idsMax = 10_000;

export interface SyncChoiceProps {
  readonly source: Environment;
  readonly target: Environment;
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
  const { source, target, report, items, chosen, onChoose } = props;
  const [filter, setFilter] = useState<SyncFilter>('changes');
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const counts = useMemo(() => countByFilter(items), [items]);
  const shown = useMemo(
    () => items.filter((item) => passes(item, filter) && item.id.toLowerCase().includes(wanted)),
    [items, filter, wanted],
  );
  const segments = useMemo(() => segmentsOf(report, chosen), [report, chosen]);
  const conflictsChosen = items.filter(({ id, change }) => change?.conflict && chosen.has(id));

  const toggle = (id: string, isOn: boolean): void => {
    const next = new Set(chosen);
    if (isOn) next.add(id);
    else next.delete(id);
    onChoose(next);
  };
  const choosable = shown.filter(({ change }) => change !== null);
  const chosenShown = choosable.filter(({ id }) => chosen.has(id)).length;
  const toggleShown = (isOn: boolean): void => {
    const next = new Set(chosen);
    for (const { id } of choosable) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    onChoose(next);
  };

  return (
    <Stack gap="md">
      {counts.conflicts > 0 && (
        <Alert
          color="orange"
          variant="light"
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
          icon={<IconAlertTriangle aria-hidden />}
          title={
            counts.conflicts === 1
              ? `1 content was edited in ${target.name} itself`
              : `${counts.conflicts} contents were edited in ${target.name} itself`
          }
        >
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              A sync puts what is live in {source.name} on top of those edits; they stay in the
              history.{' '}
              {conflictsChosen.length === 0
                ? 'They are left out unless you tick them.'
                : `${conflictsChosen.length} of them are ticked.`}
            </Text>
            {filter !== 'conflicts' && (
              <Button size="xs" variant="default" onClick={() => setFilter('conflicts')}>
                Show them
              </Button>
            )}
          </Stack>
        </Alert>
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
        {choosable.length > 0 && (
          <Group px="md" py="xs" gap="md">
            <Checkbox
              label={`Choose all ${choosable.length === items.length ? '' : 'that are shown '}(${chosenShown} of ${choosable.length})`}
              checked={chosenShown === choosable.length}
              indeterminate={chosenShown > 0 && chosenShown < choosable.length}
              onChange={(event) => toggleShown(event.currentTarget.checked)}
            />
          </Group>
        )}
        {shown.length === 0 ? (
          <Text p="md" size="sm" c="dimmed" role="status">
            {wanted === '' ? 'There is none of these.' : `No id here contains “${search.trim()}”.`}
          </Text>
        ) : (
          <SyncList
            source={source}
            target={target}
            items={shown}
            chosen={chosen}
            onToggle={toggle}
          />
        )}
      </Paper>
      {segments.length > 0 && (
        <SegmentsAlong source={source} target={target} segments={segments} items={items} />
      )}
      <GoOn {...props} segmentCount={segments.length} conflictCount={conflictsChosen.length} />
    </Stack>
  );
}

interface GoOnProps extends SyncChoiceProps {
  readonly segmentCount: number;
  readonly conflictCount: number;
}

/** Stays in sight below a list of thousands. */
function GoOn({ target, chosen, segmentCount, conflictCount, onReview }: GoOnProps) {
  const mayEdit = useMayEdit(target);
  const count = chosen.size;
  const words = [
    count === 1 ? '1 content' : `${count} contents`,
    ...(segmentCount > 0 ? [segmentCount === 1 ? '1 segment' : `${segmentCount} segments`] : []),
    ...(conflictCount > 0
      ? [conflictCount === 1 ? '1 conflict' : `${conflictCount} conflicts`]
      : []),
  ];
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      style={{ position: 'sticky', bottom: 'var(--mantine-spacing-md)', zIndex: 2 }}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {count === 0 ? 'Nothing is chosen yet.' : `Chosen: ${words.join(', ')}`}
        </Text>
        <Group gap="sm">
          {!mayEdit && (
            <Text size="sm" c="dimmed">
              {target.name} is protected: only owners may sync into it.
            </Text>
          )}
          {count > idsMax && (
            <Text size="sm" c="dimmed">
              At most {idsMax} at once: choose fewer, and sync again.
            </Text>
          )}
          <Button disabled={!mayEdit || count === 0 || count > idsMax} onClick={onReview}>
            Review and sync…
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
