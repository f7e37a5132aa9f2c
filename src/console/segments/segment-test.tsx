/** Tries a condition, as typed, on the sample users and on one that is typed here, and says what decided. */
import { Button, Collapse, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconCheck, IconUserEdit, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiProblem } from '../api/call.js';
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
  const isRefused = test.error instanceof ApiProblem;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h5" id="segment-test">
          Who of the sample users is in it
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconUserEdit size={14} aria-hidden />}
          aria-expanded={isTyping}
          onClick={toggle}
        >
          Type a user
        </Button>
      </Group>
      <Collapse expanded={isTyping}>
        {isTyping && <ContextForm value={typed} onChange={setTyped} />}
      </Collapse>
      {users.length === 0 && !saved.isPending && (
        <Text size="sm" c="dimmed">
          There are no sample users yet. Type one here, or save some in the preview of a content.
        </Text>
      )}
      {!isReadable && <Text size="sm">It is tried once the condition is mended.</Text>}
      {test.error !== null && (
        <ProblemAlert
          error={test.error}
          title={isRefused ? 'The condition is refused' : 'Not tried'}
          {...(isRefused ? {} : { onRetry: () => void test.refetch() })}
        />
      )}
      {test.data?.warnings.map(({ path, message }) => (
        <Text size="sm" key={`${path} ${message}`}>
          Warning: <span className="mono">{path}</span> {message}.
        </Text>
      ))}
      {isReadable && test.error === null && test.data !== undefined && users.length > 0 && (
        <>
          <Text size="sm" aria-live="polite">
            {test.data.matching} of {test.data.results.length}{' '}
            {test.data.results.length === 1 ? 'matches' : 'match'}.
          </Text>
          <Table verticalSpacing={6} aria-labelledby="segment-test">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w="36%">User</Table.Th>
                <Table.Th>Why</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {users.map(({ name }, index) => {
                const result = test.data.results[index];
                return result === undefined ? null : (
                  <Table.Tr key={name} style={{ verticalAlign: 'top' }}>
                    <Table.Th scope="row" fw={500} style={{ overflowWrap: 'anywhere' }}>
                      {name}
                      <div>
                        <Matches holds={result.matches} />
                      </div>
                    </Table.Th>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      <Text size="sm">{result.reason}</Text>
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </>
      )}
    </Stack>
  );
}

function Matches({ holds }: { readonly holds: boolean }) {
  const Icon = holds ? IconCheck : IconX;
  return (
    <Group gap={4} wrap="nowrap">
      <Icon
        size={14}
        aria-hidden
        color={holds ? 'var(--mantine-color-teal-text)' : 'var(--mantine-color-text)'}
      />
      <Text size="xs">{holds ? 'in it' : 'not in it'}</Text>
    </Group>
  );
}
