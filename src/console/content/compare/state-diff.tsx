/** What differs between two states of a content item, part by part. */
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { ContentState } from '../../draft/draft.js';
import { changedParts, partsOf } from '../../draft/state-parts.js';
import { PartAccordion, shownText } from '../../merge/part-accordion.js';
import { DiffView } from '../../parts/code/diff-view.js';

export interface StateDiffProps {
  readonly before: ContentState;
  readonly after: ContentState;
  readonly beforeLabel: string;
  readonly afterLabel: string;
  /** Shown when nothing differs. */
  readonly same: string;
}

// The others start closed: each open one is an editor.
const openMax = 3;
// A diff of larger texts is slow, so it is shown on request.
const openCharsMax = 400_000;

const colors = { added: 'teal', changed: 'gray', removed: 'red' } as const;

export function StateDiff({ before, after, beforeLabel, afterLabel, same }: StateDiffProps) {
  const parts = useMemo(() => {
    const a = partsOf(before);
    const b = partsOf(after);
    return changedParts(before, after).map((name) => {
      const texts = {
        before: shownText(name, a.get(name) ?? ''),
        after: shownText(name, b.get(name) ?? ''),
      };
      const change = !a.has(name) ? 'added' : b.has(name) ? 'changed' : 'removed';
      const isLarge = texts.before.length + texts.after.length > openCharsMax;
      return { name, change, isLarge, ...texts } as const;
    });
  }, [before, after]);
  if (parts.length === 0) return <Note>{same}</Note>;
  const open = parts.filter(({ isLarge }) => !isLarge).slice(0, openMax);
  return (
    <PartAccordion
      items={parts.map((part) => ({
        name: part.name,
        badges: [
          { color: colors[part.change], label: part.change },
          ...(part.isLarge ? [{ color: 'gray', label: 'large: open to compare' }] : []),
        ],
        isOpen: open.includes(part),
        panel:
          part.before === part.after ? (
            <Note>Only white space differs.</Note>
          ) : (
            <DiffView
              before={part.before}
              after={part.after}
              beforeLabel={beforeLabel}
              afterLabel={afterLabel}
            />
          ),
      }))}
    />
  );
}

function Note({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
