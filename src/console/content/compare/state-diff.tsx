/** What differs between two states of a content, part by part. */
import { Accordion, Badge, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { ContentState } from '../../draft/draft.js';
import {
  changedParts,
  lineOfPart,
  type PartName,
  partsOf,
  titleOfPart,
} from '../../draft/state-parts.js';
import { DiffView } from '../../parts/code/diff-view.js';
import { formatJsonc } from '../../parts/code/format-jsonc.js';

export interface StateDiffProps {
  readonly before: ContentState;
  readonly after: ContentState;
  readonly beforeLabel: string;
  readonly afterLabel: string;
  /** Said when nothing differs. */
  readonly same?: string;
}

// More than these begin closed: each open one is an editor.
const openMax = 3;
// A diff of texts this large takes its time, so it is shown when asked for.
const openCharsMax = 400_000;

export function StateDiff(props: StateDiffProps) {
  const { before, after, beforeLabel, afterLabel, same = 'Nothing differs.' } = props;
  const parts = useMemo(() => {
    const a = partsOf(before);
    const b = partsOf(after);
    return changedParts(before, after).map((name) => ({
      name,
      value: itemOf(name),
      change: !a.has(name) ? 'added' : b.has(name) ? 'changed' : 'removed',
      before: shownText(name, a.get(name) ?? ''),
      after: shownText(name, b.get(name) ?? ''),
    }));
  }, [before, after]);
  if (parts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {same}
      </Text>
    );
  }
  const small = parts.filter((part) => !isLarge(part));
  return (
    <Accordion
      multiple
      variant="contained"
      chevronPosition="left"
      order={3}
      keepMounted={false}
      defaultValue={small.slice(0, openMax).map(({ value }) => value)}
    >
      {parts.map((part) => (
        <Accordion.Item key={part.name} value={part.value}>
          <Accordion.Control>
            <Group gap="xs">
              <Text fw={600} size="sm">
                {titleOfPart(part.name)}
              </Text>
              <Badge size="sm" variant="dot" color={colours[part.change] ?? 'gray'}>
                {part.change}
              </Badge>
              {isLarge(part) && (
                <Text size="xs" c="dimmed">
                  large: open it to see the difference
                </Text>
              )}
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {part.before === part.after ? (
              <Text size="sm" c="dimmed">
                Only white space differs.
              </Text>
            ) : (
              <DiffView
                before={part.before}
                after={part.after}
                beforeLabel={beforeLabel}
                afterLabel={afterLabel}
              />
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function isLarge(part: { readonly before: string; readonly after: string }): boolean {
  return part.before.length + part.after.length > openCharsMax;
}

const colours: Readonly<Record<string, string>> = { added: 'teal', removed: 'red' };

/** Ids are made of it, and must not have blanks. */
export function itemOf(name: PartName): string {
  return name.replace(' ', '-');
}

/** A mapping is often sent in one line: laid out, its differences are seen where they are. */
export function shownText(name: PartName, text: string): string {
  if (lineOfPart(name) !== null || name === 'description') return text;
  if (name === 'tags') return (JSON.parse(text) as string[]).join('\n');
  return text === '' ? '' : formatJsonc(text);
}
