/** What an edit changes for many users at once: shares by app version, rule and variant, and the users it affects. */
import { Alert, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Preview } from '../../contract/operations/preview.js';
import type { ContentState } from '../draft/draft.js';
import { useDraft } from '../draft/draft-context.js';
import { IconUsers } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { ContextsInput } from './contexts/contexts-input.js';
import { usePastedContexts } from './contexts/pasted-contexts.js';
import { type ContextIssue, readContexts, type TypedContexts } from './contexts/typed-contexts.js';
import { lineOfFirstContext, requestPreview } from './preview-call.js';
import { ResponseChanges } from './results/response-changes.js';
import { ShareTable } from './results/share-table.js';

interface Counted {
  readonly preview: Preview;
  readonly state: ContentState;
  readonly users: TypedContexts;
  /** What the users were read from. */
  readonly text: string;
}

const waitMs = 250;

export function ManyUsers() {
  const { saved, state, isDirty } = useDraft();
  const [given, setGiven] = usePastedContexts(saved.env);
  const [settled] = useDebouncedValue(given, waitMs);
  const users = useMemo(() => readContexts(settled.text), [settled]);
  const count = useMutation({
    mutationFn: async (): Promise<Counted> => {
      const read = readContexts(given.text);
      const contexts = read.contexts.map(({ source }) => source);
      const preview = await requestPreview({ saved, state, revision: null }, contexts);
      return { preview, state, users: read, text: given.text };
    },
  });
  const result = count.data;
  const isStale = result !== undefined && (result.state !== state || result.text !== given.text);
  const total = users.contexts.length;
  return (
    <Stack gap="md">
      <Paper withBorder p="md" component="section" aria-labelledby="preview-users">
        <Stack gap="sm">
          <Title order={2} size="h5" id="preview-users">
            Users
          </Title>
          <ContextsInput env={saved.env} value={given} onChange={setGiven} />
          <Issues issues={users.issues} />
          <Group gap="sm">
            <Button
              leftSection={<IconUsers size={16} aria-hidden />}
              disabled={total === 0 || given !== settled}
              loading={count.isPending}
              onClick={() => count.mutate()}
            >
              {total === 0 ? 'Count' : `Count ${total.toLocaleString('en')}`}
            </Button>
            <Text size="sm">
              {isDirty
                ? 'What is typed, against what is live.'
                : `Revision ${saved.newest}, against what is live.`}
            </Text>
          </Group>
        </Stack>
      </Paper>
      {count.error !== null && (
        <ProblemAlert error={count.error} title="Not counted" onRetry={() => count.mutate()} />
      )}
      <Box aria-live="polite">
        {result !== undefined && (
          <Stack gap="md">
            {isStale && (
              <Alert variant="light" color="orange" title="Counted before your last change">
                Count again to see what it does now.
              </Alert>
            )}
            <Result counted={result} />
          </Stack>
        )}
      </Box>
    </Stack>
  );
}

const issuesShown = 5;

function Issues({ issues }: { readonly issues: readonly ContextIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <Box role="status">
      <Text size="sm" c="red">
        {issues.length === 1 ? 'One line is left out:' : `${issues.length} lines are left out:`}
      </Text>
      {issues.slice(0, issuesShown).map(({ at, message }) => (
        <Text size="sm" key={`${at} ${message}`}>
          Line {at}: {message}
        </Text>
      ))}
      {issues.length > issuesShown && (
        <Text size="sm">and {issues.length - issuesShown} more.</Text>
      )}
    </Box>
  );
}

function Result({ counted: { preview, users } }: { readonly counted: Counted }) {
  const { contexts, errors } = preview;
  const changed = preview.changed.contexts;
  const issues = errors.map(({ line, message }) => ({ at: placeOf(line, users), message }));
  const percent = contexts === 0 ? '0' : ((changed / contexts) * 100).toFixed(2);
  return (
    <>
      <Issues issues={issues} />
      <Text fw={600}>
        {changed === 0
          ? `No change for ${contexts === 1 ? 'this' : 'these'} ${counted(contexts, 'user')}.`
          : `${changed.toLocaleString('en')} of ${contexts.toLocaleString('en')} users (${percent} %) would get something different.`}
      </Text>
      <ShareTable preview={preview} />
      {changed > 0 && <ResponseChanges preview={preview} nameOf={nameIn(users)} />}
    </>
  );
}

/** The user id; without one, the line. */
function nameIn(users: TypedContexts): (at: number, u: string) => string {
  return (at, u) => (u === '' ? `line ${placeOf(at, users)}` : u);
}

/** The place of a context in the pasted text. */
function placeOf(line: number, { contexts }: TypedContexts): number {
  return contexts[line - lineOfFirstContext]?.at ?? line;
}
