/** Tests a condition, as typed, on the sample users and on one that is typed here, and explains each result. */
import { Button, Collapse, Group, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TestedSegment } from '../../contract/operations/segments.js';
import { ApiProblem } from '../api/call.js';
import { IconCheck, IconUserEdit, IconX } from '../icons/icons.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { ContextForm } from '../preview/contexts/context-form.js';
import { useSampleUsers } from '../preview/contexts/sample-users.js';
import {
  contextIssues,
  contextSource,
  emptyContext,
  isInvalid,
  type UserContext,
} from '../preview/contexts/user-context.js';
import { segmentKeys, testCondition } from './segment-api.js';

export interface SegmentTestProps {
  readonly env: string;
  readonly when: string;
  readonly isReadable: boolean;
}

const waitMs = 300;

export function SegmentTest({ env, when, isReadable }: SegmentTestProps) {
  const saved = useSampleUsers(env);
  const [isTyping, { toggle }] = useDisclosure(false);
  const [typed, setTyped] = useState<UserContext>(emptyContext);
  const [condition] = useDebouncedValue(when, waitMs);
  const [typedUser] = useDebouncedValue(typed, waitMs);
  const isTypedValid = isTyping && !isInvalid(contextIssues(typedUser));
  const users = useMemo(() => {
    const own = isTypedValid ? [{ name: 'Typed here', context: contextSource(typedUser) }] : [];
    return [...own, ...(saved.data ?? [])];
  }, [saved.data, isTypedValid, typedUser]);
  const contexts = users.map(({ context }) => context);
  const test = useQuery({
    queryKey: segmentKeys.test(env, condition, contexts.join('\n')),
    queryFn: ({ signal }) => testCondition(env, condition, contexts, signal),
    enabled: isReadable && contexts.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const isRejected = test.error instanceof ApiProblem;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h5" id="segment-test">
          Which sample users match
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconUserEdit size={14} aria-hidden />}
          aria-expanded={isTyping}
          onClick={toggle}
        >
          Test another user
        </Button>
      </Group>
      <Collapse expanded={isTyping}>
        {isTyping && <ContextForm value={typed} onChange={setTyped} />}
      </Collapse>
      {users.length === 0 && !saved.isPending && (
        <Text size="sm" c="dimmed">
          There are no sample users yet. Type one here, or save some in the preview of a content
          item.
        </Text>
      )}
      {!isReadable && <Text size="sm">Results appear once the condition is fixed.</Text>}
      {test.error !== null && (
        <ProblemAlert
          error={test.error}
          title={isRejected ? 'The condition is not valid' : 'Not tested'}
          {...(!isRejected && { onRetry: () => void test.refetch() })}
        />
      )}
      {test.data?.warnings.map(({ path, message }) => (
        <Text size="sm" key={`${path} ${message}`}>
          Warning: <span className="mono">{path}</span> {message}.
        </Text>
      ))}
      {isReadable && test.error === null && test.data !== undefined && users.length > 0 && (
        <Results tested={test.data} names={users.map(({ name }) => name)} />
      )}
    </Stack>
  );
}

interface Result {
  readonly name: string;
  readonly matches: boolean;
  readonly reason: string;
}

function Results(props: { readonly tested: TestedSegment; readonly names: readonly string[] }) {
  const { results, matching } = props.tested;
  const rows = props.names.flatMap((name, place): Result[] => {
    const result = results[place];
    return result === undefined ? [] : [{ name, ...result }];
  });
  return (
    <>
      <Text size="sm" aria-live="polite">
        {matching} of {results.length} {results.length === 1 ? 'matches' : 'match'}.
      </Text>
      <DataTable
        aria-labelledby="segment-test"
        columns={columns}
        rows={rows}
        keyOf={({ name }) => name}
      />
    </>
  );
}

const columns: readonly Column<Result>[] = [
  {
    title: 'User',
    isHeader: true,
    w: '36%',
    cell: ({ name, matches }) => (
      <>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Matches holds={matches} />
      </>
    ),
  },
  { title: 'Why', cell: ({ reason }) => reason },
];

function Matches({ holds }: { readonly holds: boolean }) {
  const Icon = holds ? IconCheck : IconX;
  return (
    <Group gap={4} wrap="nowrap">
      <Icon
        size={14}
        aria-hidden
        color={holds ? 'var(--mantine-color-teal-text)' : 'var(--mantine-color-text)'}
      />
      <Text size="xs">{holds ? 'matches' : 'does not match'}</Text>
    </Group>
  );
}
