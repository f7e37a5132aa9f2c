/** What stands in place of the list, and how many there are of it. */
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { EmptyState } from '../parts/empty-state.js';
import styles from './contents.module.css';

const rowsOfSkeleton = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
const number = new Intl.NumberFormat('en');

export interface CountProps {
  readonly all: number | undefined;
  readonly shown: number;
  readonly isNarrowed: boolean;
}

/** Read out when it changes. */
export function Count({ all, shown, isNarrowed }: CountProps) {
  return (
    <span role="status">
      {all === undefined
        ? '\u00a0'
        : isNarrowed
          ? `${number.format(shown)} of ${number.format(all)}`
          : `${number.format(all)} ${all === 1 ? 'content' : 'contents'}`}
    </span>
  );
}

export function ListSkeleton() {
  return (
    <Stack gap={12} className={styles['late']} role="status" aria-label="Loading the contents">
      {rowsOfSkeleton.map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </Stack>
  );
}

export interface NothingMatchesProps {
  /** The id that a new content could have; null: none may be made. */
  readonly proposed: string | null;
  readonly onClear: () => void;
  readonly onCreate: (id: string) => void;
}

export function NothingMatches({ proposed, onClear, onCreate }: NothingMatchesProps) {
  return (
    <EmptyState
      icon={<IconSearchOff />}
      title="Nothing matches"
      action={
        <Group justify="center">
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
          {proposed !== null && (
            <Button variant="light" onClick={() => onCreate(proposed)}>
              Create {proposed}
            </Button>
          )}
        </Group>
      }
    >
      A search looks into ids, descriptions, tags, hashes and editors; every word must be found.
    </EmptyState>
  );
}
