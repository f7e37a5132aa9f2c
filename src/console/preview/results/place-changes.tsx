/** The places where JSON differs, with the value before and after. */
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import styles from './place-changes.module.css';

export interface ShownChange {
  /** JSON pointer. */
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
}

const shownAtFirst = 12;
const shownMax = 1_000;
const valueCharsMax = 160;

export function PlaceChanges({ changes }: { readonly changes: readonly ShownChange[] }) {
  const [isAll, setIsAll] = useState(false);
  const shown = changes.slice(0, isAll ? shownMax : shownAtFirst);
  const left = changes.length - shown.length;
  return (
    <Stack gap={4} align="flex-start">
      <ul className={styles['list']}>
        {shown.map(({ pointer, before, after }) => (
          <li key={pointer}>
            <code>{pointer === '' ? 'the whole' : pointer}</code>{' '}
            {before === null ? 'added ' : after === null ? 'removed ' : <Value of={before} />}
            {before !== null && after !== null && ' → '}
            <Value of={after ?? before ?? ''} />
          </li>
        ))}
      </ul>
      {left > 0 && isAll && <Text size="xs">and {left} more</Text>}
      {left > 0 && !isAll && (
        <Button size="compact-xs" variant="subtle" onClick={() => setIsAll(true)}>
          Show all {changes.length}
        </Button>
      )}
    </Stack>
  );
}

function Value({ of }: { readonly of: string }) {
  const flat = of.replace(whiteSpace, ' ');
  const text = flat.length > valueCharsMax ? `${flat.slice(0, valueCharsMax)}…` : flat;
  return <span className={styles['value']}>{text}</span>;
}

const whiteSpace = /\s+/g;
