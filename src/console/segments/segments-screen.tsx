/** The saved segments of an environment: who is in each, and where it is used. */
import {
  Anchor,
  Badge,
  Button,
  CloseButton,
  Group,
  Kbd,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconFilter, IconPlus, IconSearch, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { Link, useParams } from 'wouter';
import { wordCondition } from '../conditions/condition-words.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { When } from '../parts/when.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { NewSegment } from './new-segment.js';
import { fetchSegments, type SavedSegment, segmentKeys } from './segment-api.js';
import styles from './segments.module.css';

/** Rows that are drawn at first, and more at each press: a table of thousands is searched, not read. */
const rowsShown = 200;

export function SegmentsScreen() {
  const { env = '' } = useParams<{ env: string }>();
  const readOnlyReason = useReadOnlyReason(env);
  const mayEdit = readOnlyReason === null;
  const [isNew, { open, close }] = useDisclosure(false);
  const segments = useQuery({
    queryKey: segmentKeys.all(env),
    queryFn: ({ signal }) => fetchSegments(env, signal),
  });
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
      description="Named groups of players, which the rules of contents can be for."
      actions={segments.data !== undefined && segments.data.length > 0 && create}
    >
      {segments.error !== null && (
        <ProblemAlert error={segments.error} onRetry={() => void segments.refetch()} />
      )}
      {segments.isPending && <Loading />}
      {segments.data?.length === 0 && (
        <EmptyState icon={<IconUsersGroup aria-hidden />} title="No segments yet" action={create}>
          A segment says once who is meant, such as “new players” or “spent over 100”, and any
          number of contents can use it.{!mayEdit && ` ${readOnlyReason}`}
        </EmptyState>
      )}
      {segments.data !== undefined && segments.data.length > 0 && (
        <SegmentList env={env} segments={segments.data} />
      )}
      <NewSegment
        env={env}
        opened={isNew}
        onClose={close}
        taken={segments.data?.map(({ name }) => name) ?? []}
      />
    </Page>
  );
}

function Loading() {
  return (
    <Stack gap="xs" aria-label="Loading" role="status">
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </Stack>
  );
}

interface SegmentListProps {
  readonly env: string;
  readonly segments: readonly SavedSegment[];
}

function SegmentList({ env, segments }: SegmentListProps) {
  const search = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim().toLowerCase(), 80);
  const [shown, setShown] = useState(rowsShown);
  useHotkeys([['/', () => search.current?.focus()]]);
  const rows = useMemo(
    () =>
      segments.map((segment) => {
        const words = wordCondition(segment.when);
        const { name, description, usedBy } = segment;
        const text = [name, description, words, ...usedBy].join('\n').toLowerCase();
        return { segment, words, text };
      }),
    [segments],
  );
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
          title="No segment is like that"
          action={
            <Button variant="default" onClick={() => setTyped('')}>
              Show all
            </Button>
          }
        >
          Names, descriptions, conditions and the contents that use them were searched for “{typed}
          ”.
        </EmptyState>
      ) : (
        <Table.ScrollContainer minWidth={0} type="native">
          <Table verticalSpacing="xs" highlightOnHover className={styles['list'] ?? ''}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Segment</Table.Th>
                <Table.Th className={styles['wide']}>Who is in it</Table.Th>
                <Table.Th>Used by</Table.Th>
                <Table.Th className={styles['wide']}>Updated</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.slice(0, shown).map(({ segment, words }) => (
                <SegmentRow key={segment.name} env={env} segment={segment} words={words} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {found.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + rowsShown * 5)}>
          Show more ({found.length - shown} left)
        </Button>
      )}
    </Stack>
  );
}

interface SegmentRowProps {
  readonly env: string;
  readonly segment: SavedSegment;
  readonly words: string;
}

function SegmentRow({ env, segment, words }: SegmentRowProps) {
  const { name, description, updatedAt } = segment;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} className={styles['name']}>
        <Anchor component={Link} href={pathOf.segment(env, name)} fw={600}>
          {name}
        </Anchor>
        {description !== '' && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        )}
        <Text size="sm" className={styles['narrow']} lineClamp={3}>
          {words}
        </Text>
      </Table.Th>
      <Table.Td className={styles['wide']}>
        <Text size="sm" lineClamp={3}>
          {words}
        </Text>
      </Table.Td>
      <Table.Td>
        <UseCount segment={segment} />
      </Table.Td>
      <Table.Td className={styles['wide']}>
        <When at={updatedAt} size="sm" />
      </Table.Td>
    </Table.Tr>
  );
}

/** Of a content whose newest revision is not live both may use it: rules of the newer one are counted. */
export function countUses({ uses }: SavedSegment): { rules: number; contents: number } {
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
        nothing
      </Text>
    );
  }
  const isLive = segment.uses.some(({ live }) => live);
  return (
    <Group gap={6}>
      <Text size="sm">
        {rules} {rules === 1 ? 'rule' : 'rules'} in {contents}{' '}
        {contents === 1 ? 'content' : 'contents'}
      </Text>
      {!isLive && (
        <Badge size="sm" variant="default">
          drafts only
        </Badge>
      )}
    </Group>
  );
}
