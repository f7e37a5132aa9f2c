/** A value that both users changed: what it was, what each made of it, and which one to keep. */
import { Box, Code, Radio, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import type { MergeConflict } from '../../content/merge/merge-tree.js';
import { monoInput } from '../parts/code/mono-input.js';
import { type Choice, isUsable, type Side } from './use-merge.js';

export interface ConflictChoiceProps {
  readonly conflict: MergeConflict;
  readonly author: string;
  /** Whether another value can be typed. */
  readonly mayType: boolean;
  readonly choice: Choice | null;
  readonly onChoice: (choice: Choice) => void;
}

const shownCharsMax = 400;

export function ConflictChoice(props: ConflictChoiceProps) {
  const { conflict, author, mayType, choice, onChoice } = props;
  const typed = choice?.text ?? '';
  const isOther = choice?.side === 'other';
  const choose = (side: string): void => {
    const isFirst = side === 'other' && typed === '';
    onChoice({ side: side as Choice['side'], text: isFirst ? (conflict.mine ?? '') : typed });
  };
  return (
    <Box p="sm" bd="1px solid var(--mantine-color-default-border)" bdrs="sm">
      <Radio.Group value={choice?.side ?? ''} onChange={choose} label={titleOf(conflict)}>
        <SimpleGrid cols={{ base: 1, sm: 3 }} mt="xs" spacing="sm">
          <Stack gap={4}>
            <Text size="sm">Where you started</Text>
            {conflict.base === null ? (
              <Text size="sm">Not there</Text>
            ) : (
              <Value source={conflict.base} />
            )}
          </Stack>
          <Option side="theirs" label={`${author}’s`} source={conflict.theirs} />
          <Option side="mine" label="Yours" source={conflict.mine} />
        </SimpleGrid>
        {mayType && <Radio value="other" label="Another value" mt="xs" />}
      </Radio.Group>
      {isOther && (
        <Textarea
          styles={monoInput}
          autosize
          maxRows={12}
          mt="xs"
          aria-label={`Another value for ${titleOf(conflict)}`}
          value={typed}
          error={isUsable(conflict, typed) ? null : 'This is not a JSON value.'}
          onChange={({ currentTarget }) => onChoice({ side: 'other', text: currentTarget.value })}
        />
      )}
    </Box>
  );
}

interface OptionProps {
  readonly side: Side;
  readonly label: string;
  readonly source: string | null;
}

function Option({ side, label, source }: OptionProps) {
  return (
    <Stack gap={4}>
      <Radio value={side} label={source === null ? `${label}: removed` : label} />
      {source !== null && <Value source={source} />}
    </Stack>
  );
}

function Value({ source }: { readonly source: string }) {
  const isLong = source.length > shownCharsMax;
  return (
    <Code block style={wrapped}>
      {isLong ? `${source.slice(0, shownCharsMax)}…` : source}
    </Code>
  );
}

const wrapped = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

function titleOf({ place, element }: MergeConflict): string {
  if (place === '') return 'The whole part';
  return element === null ? place : `${place} (${element})`;
}
