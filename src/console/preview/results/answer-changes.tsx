/** Whose answers an edit changes, by kind of change, with examples of each. */
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Preview, PreviewChange } from '../../../contract/operations/preview.js';
import { type ChangeGroup, groupChanges } from './change-groups.js';
import { PlaceChanges } from './place-changes.js';

export interface AnswerChangesProps {
  readonly preview: Preview;
  /** What to call a user, by where they stand and their id. */
  readonly nameOf: (at: number, u: string) => string;
}

export function AnswerChanges({ preview, nameOf }: AnswerChangesProps) {
  const { changes, changesLeftOut } = preview;
  return (
    <Stack gap="sm" component="section" aria-labelledby="preview-changes">
      <Title order={2} size="h5" id="preview-changes">
        What changes for them
      </Title>
      {groupChanges(changes).map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
        <Paper withBorder p="sm" key={index}>
          <OneChange change={change} of={preview.contexts} nameOf={nameOf} />
        </Paper>
      ))}
      {changesLeftOut > 0 && (
        <Text size="sm">and {changesLeftOut} rarer kinds of change that are not shown.</Text>
      )}
    </Stack>
  );
}

const examplesShown = 6;

interface OneChangeProps {
  readonly change: ChangeGroup;
  readonly of: number;
  readonly nameOf: AnswerChangesProps['nameOf'];
}

function OneChange({ change, of, nameOf }: OneChangeProps) {
  const { kind, contexts, before, after, pointers, examples } = change;
  return (
    <Stack gap={4}>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {contexts.toLocaleString('en')} {contexts === 1 ? 'user' : 'users'} (
          {((contexts / Math.max(1, of)) * 100).toFixed(2)} %)
        </Text>
        <Text size="sm">would get {kindWords[kind]}</Text>
      </Group>
      {before !== after && kind !== 'gone' && kind !== 'appeared' && (
        <Text size="sm">
          Rules: {before} → {after}
        </Text>
      )}
      {pointers !== null && pointers.length > 0 && (
        <PlaceChanges
          changes={pointers.map((one) => ({
            pointer: one.path,
            before: one.before,
            after: one.after,
          }))}
        />
      )}
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {Math.min(examples.length, examplesShown) < contexts
          ? 'For instance'
          : contexts === 1
            ? 'It is'
            : 'They are'}{' '}
        {examples
          .slice(0, examplesShown)
          .map(({ at, u }) => nameOf(at, u))
          .join(', ')}
      </Text>
    </Stack>
  );
}

export const kindWords: Readonly<Record<PreviewChange['kind'], string>> = {
  appeared: 'the content, instead of a 404',
  gone: 'a 404, instead of the content',
  data: 'other data',
  hash: 'the same data under another hash, so clients fetch it anew',
  report: 'the same data; only the reported rules differ',
};
