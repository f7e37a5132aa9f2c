/** The users whose responses an edit changes, by kind of change, with examples of each. */
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Preview } from '../../../contract/operations/preview.js';
import { counted } from '../../parts/counted.js';
import { groupChanges, kindTexts } from './change-groups.js';
import { PlaceChanges } from './place-changes.js';

export interface ResponseChangesProps {
  readonly preview: Preview;
  /** What to call a user, by the line of the request and the user id. */
  readonly nameOf: (at: number, u: string) => string;
}

const examplesShown = 6;

export function ResponseChanges({ preview, nameOf }: ResponseChangesProps) {
  const { changes, changesLeftOut } = preview;
  return (
    <Stack gap="sm" component="section" aria-label="What changes for them">
      <Title order={2} size="h5">
        What changes for them
      </Title>
      {groupChanges(changes).map(({ kind, contexts, rules, pointers, examples }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
        <Paper withBorder p="sm" key={index}>
          <Stack gap={4}>
            <Group gap={6}>
              <Text size="sm" fw={600}>
                {counted(contexts, 'user')} (
                {((contexts / Math.max(1, preview.contexts)) * 100).toFixed(2)} %)
              </Text>
              <Text size="sm">would get {kindTexts[kind]}</Text>
            </Group>
            {rules !== null && <Text size="sm">Rules: {rules}</Text>}
            {pointers !== null && pointers.length > 0 && (
              <PlaceChanges changes={pointers.map((one) => ({ ...one, pointer: one.path }))} />
            )}
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {Math.min(examples.length, examplesShown) < contexts ? 'For example: ' : ''}
              {examples
                .slice(0, examplesShown)
                .map(({ at, u }) => nameOf(at, u))
                .join(', ')}
            </Text>
          </Stack>
        </Paper>
      ))}
      {changesLeftOut > 0 && (
        <Text size="sm">and {changesLeftOut} rarer kinds of change that are not shown.</Text>
      )}
    </Stack>
  );
}
