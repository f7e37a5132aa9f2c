/** The segments of an environment: the players in each, and where it is used. */
import {
  Anchor,
  Badge,
  Button,
  CloseButton,
  Group,
  Kbd,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import { Link, useParams } from 'wouter';
import { describeCondition } from '../conditions/describe-condition.js';
import { IconFilter, IconPlus, IconSearch, IconUsersGroup } from '../icons/icons.js';
import { useCommands, useShortcuts } from '../palette/use-commands.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { When } from '../parts/time/when.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { NewSegment } from './new-segment.js';
import { type SavedSegment, useSegments } from './segment-api.js';

export function SegmentsScreen() {
  const { env = '' } = useParams<{ env: string }>();
  const readOnlyReason = useReadOnlyReason();
  const mayEdit = readOnlyReason === null;
  const [isNew, { open, close }] = useDisclosure(false);
  const segments = useSegments(env);
  useCommands([
    { name: 'New segment…', keywords: ['create'], disabledReason: readOnlyReason, run: open },
  ]);
  const create = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={open}
      disabled={!mayEdit}
      title={readOnlyReason ?? undefined}
    >
      New segment
    </Button>
  );
  return (
    <Page
      title="Segments"
      description="Reusable audiences."
      actions={segments.data !== undefined && segments.data.length > 0 && create}
    >
      <Loaded query={segments} label="Loading the segments" rows={4} rowHeight={44}>
        {(known) =>
          known.length === 0 ? (
            <EmptyState
              icon={<IconUsersGroup aria-hidden />}
              title="No segments yet"
              action={create}
            >
              A segment defines a group of players once, such as “new players” or “spent over 100”,
              and any number of content items can use it.{!mayEdit && ` ${readOnlyReason}`}
            </EmptyState>
          ) : (
            <SegmentList env={env} segments={known} />
          )
        }
      </Loaded>
      {isNew && (
        <NewSegment
          env={env}
          onClose={close}
          taken={segments.data?.map(({ name }) => name) ?? []}
        />
      )}
    </Page>
  );
}

interface SegmentListProps {
  readonly env: string;
  readonly segments: readonly SavedSegment[];
}

interface Row {
  readonly segment: SavedSegment;
  /** The condition as a sentence. */
  readonly condition: string;
  /** What the search looks at, in lower case. */
  readonly text: string;
}

function SegmentList({ env, segments }: SegmentListProps) {
  const search = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim().toLowerCase(), 80);
  useHotkeys([['/', () => search.current?.focus()]]);
  useShortcuts([{ keys: ['/'], does: 'Search the list' }]);
  const rows = useMemo(
    () =>
      segments.map((segment): Row => {
        const condition = describeCondition(segment.when);
        const { name, description, usedBy } = segment;
        const text = [name, description, condition, ...usedBy].join('\n').toLowerCase();
        return { segment, condition, text };
      }),
    [segments],
  );
  const columns = useMemo(() => columnsOf(env), [env]);
  const found = rows.filter(({ text }) => text.includes(wanted));
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          ref={search}
          flex="1 1 240px"
          maw={420}
          aria-label="Search segments"
          placeholder="Search by name, condition or content"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          rightSection={
            typed === '' ? (
              <Kbd size="xs" visibleFrom="sm" aria-hidden>
                /
              </Kbd>
            ) : (
              <CloseButton size="sm" aria-label="Clear the search" onClick={() => setTyped('')} />
            )
          }
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          {found.length === rows.length
            ? `${rows.length} ${rows.length === 1 ? 'segment' : 'segments'}`
            : `${found.length} of ${rows.length}`}
        </Text>
      </Group>
      {found.length === 0 ? (
        <EmptyState
          icon={<IconFilter aria-hidden />}
          title="No segment matches"
          action={
            <Button variant="default" onClick={() => setTyped('')}>
              Show all
            </Button>
          }
        >
          No name, description, condition or content item contains “{typed}”.
        </EmptyState>
      ) : (
        <DataTable
          highlightOnHover
          aria-label="Segments"
          columns={columns}
          rows={found}
          keyOf={({ segment }) => segment.name}
        />
      )}
    </Stack>
  );
}

function columnsOf(env: string): Column<Row>[] {
  return [
    {
      title: 'Segment',
      isHeader: true,
      sortBy: ({ segment }) => segment.name,
      cell: ({ segment: { name, description }, condition }) => (
        <>
          <Anchor component={Link} href={pathOf.segment(env, name)} fw={600}>
            {name}
          </Anchor>
          {description !== '' && (
            <Text size="sm" c="dimmed" lineClamp={2}>
              {description}
            </Text>
          )}
          <Text size="sm" hiddenFrom="sm" lineClamp={3}>
            {condition}
          </Text>
        </>
      ),
    },
    {
      title: 'Players in it',
      visibleFrom: 'sm',
      cell: ({ condition }) => (
        <Text size="sm" lineClamp={3}>
          {condition}
        </Text>
      ),
    },
    {
      title: 'Used by',
      sortBy: ({ segment }) => countUses(segment).rules,
      cell: ({ segment }) => <UseCount segment={segment} />,
    },
    {
      title: 'Updated',
      visibleFrom: 'sm',
      sortBy: ({ segment }) => segment.updatedAt,
      cell: ({ segment }) => <When at={segment.updatedAt} size="sm" />,
    },
  ];
}

/** Both the live and a newer revision of a content item may use it: counts the rules of the one with more. */
function countUses({ uses }: SavedSegment): { rules: number; contents: number } {
  const rules = new Map<string, number>();
  for (const use of uses) {
    rules.set(use.content, Math.max(rules.get(use.content) ?? 0, use.rules.length));
  }
  return {
    rules: [...rules.values()].reduce((sum, count) => sum + count, 0),
    contents: rules.size,
  };
}

function UseCount({ segment }: { readonly segment: SavedSegment }) {
  const { rules, contents } = countUses(segment);
  if (contents === 0) {
    return (
      <Text size="sm" c="dimmed">
        not used
      </Text>
    );
  }
  const isLive = segment.uses.some(({ live }) => live);
  return (
    <Group gap={6}>
      <Text size="sm">
        {rules} {rules === 1 ? 'rule' : 'rules'} in {contents} content{' '}
        {contents === 1 ? 'item' : 'items'}
      </Text>
      {!isLive && (
        <Badge size="sm" variant="default">
          drafts only
        </Badge>
      )}
    </Group>
  );
}
