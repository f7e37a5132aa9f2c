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
const valueCharsMax = 160;

export function PlaceChanges({ changes }: { readonly changes: readonly ShownChange[] }) {
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? changes.slice(0, 1_000) : changes.slice(0, shownAtFirst);
  return (
    <Stack gap={4} align="flex-start">
      <ul className={styles['list']}>
        {shown.map(({ pointer, before, after }) => (
          <li key={pointer}>
            <code>{pointer === '' ? 'the whole' : pointer}</code>{' '}
            {before !== null && after !== null && (
              <>
                <span className={styles['value']}>{cut(before)}</span> →{' '}
                <span className={styles['value']}>{cut(after)}</span>
              </>
            )}
            {before === null && after !== null && (
              <>
                added <span className={styles['value']}>{cut(after)}</span>
              </>
            )}
            {after === null && (
              <>
                removed <span className={styles['value']}>{cut(before ?? '')}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      {shown.length < changes.length &&
        (isAll ? (
          <Text size="xs">and {changes.length - shown.length} more</Text>
        ) : (
          <Button size="compact-xs" variant="subtle" onClick={() => setIsAll(true)}>
            Show all {changes.length}
          </Button>
        ))}
    </Stack>
  );
}

function cut(source: string): string {
  const flat = source.replace(whiteSpace, ' ');
  return flat.length > valueCharsMax ? `${flat.slice(0, valueCharsMax)}…` : flat;
}

const whiteSpace = /\s+/g;
