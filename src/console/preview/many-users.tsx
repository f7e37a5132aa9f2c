/** What an edit changes for many users at once: their shares by line, rule and variant, and whose answer changes. */
import { Alert, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Preview } from '../../contract/operations/preview.js';
import type { ContentState } from '../draft/draft.js';
import { useDraft } from '../draft/draft-context.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { ContextsInput, type GivenContexts, noContexts } from './contexts/contexts-input.js';
import { type ContextFault, readContexts, type TypedContexts } from './contexts/typed-contexts.js';
import { askPreview, lineOfFirstContext } from './preview-call.js';
import { AnswerChanges } from './results/answer-changes.js';
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
  const [given, setGiven] = useState<GivenContexts>(noContexts);
  const [settled] = useDebouncedValue(given, waitMs);
  const users = useMemo(() => readContexts(settled.text), [settled]);
  const count = useMutation({
    mutationFn: async (): Promise<Counted> => {
      const read = readContexts(given.text);
      const contexts = read.contexts.map(({ source }) => source);
      const preview = await askPreview({ saved, state, revision: null }, contexts);
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
          <Faults faults={users.faults} />
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

const faultsShown = 5;

function Faults({ faults }: { readonly faults: readonly ContextFault[] }) {
  if (faults.length === 0) return null;
  return (
    <Box role="status">
      <Text size="sm" c="red">
        {faults.length === 1 ? 'One line is left out:' : `${faults.length} lines are left out:`}
      </Text>
      {faults.slice(0, faultsShown).map(({ at, message }) => (
        <Text size="sm" key={`${at} ${message}`}>
          Line {at}: {message}
        </Text>
      ))}
      {faults.length > faultsShown && (
        <Text size="sm">and {faults.length - faultsShown} more.</Text>
      )}
    </Box>
  );
}

function Result({ counted: { preview, users } }: { readonly counted: Counted }) {
  const { contexts, errors } = preview;
  const changed = preview.changed.contexts;
  const faults = errors.map(({ line, message }) => ({ at: placeOf(line, users), message }));
  const percent = contexts === 0 ? '0' : ((changed / contexts) * 100).toFixed(2);
  return (
    <>
      <Faults faults={faults} />
      <Text fw={600}>
        {changed === 0
          ? `None of ${contexts.toLocaleString('en')} users would be answered otherwise than now.`
          : `${changed.toLocaleString('en')} of ${contexts.toLocaleString('en')} users (${percent} %) would be answered otherwise than now.`}
      </Text>
      <ShareTable preview={preview} />
      {changed > 0 && <AnswerChanges preview={preview} nameOf={nameIn(users)} />}
    </>
  );
}

/** The user id, where there is one; else where they stand. */
function nameIn(users: TypedContexts): (at: number, u: string) => string {
  return (at, u) => (u === '' ? `line ${placeOf(at, users)}` : u);
}

/** Where a context stands in what was pasted. */
function placeOf(line: number, { contexts }: TypedContexts): number {
  return contexts[line - lineOfFirstContext]?.at ?? line;
}
