/** What is shown instead of the list, and the number of its rows. */
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { IconSearch, IconSearchOff } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { EmptyState } from '../parts/empty-state.js';
import styles from './contents.module.css';

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

export interface CountProps {
  readonly all: number | undefined;
  readonly shown: number;
  readonly isNarrowed: boolean;
}

/** Screen readers announce its changes. */
export function Count({ all, shown, isNarrowed }: CountProps) {
  const number = (count: number): string => count.toLocaleString('en');
  return (
    <span role="status">
      {all === undefined
        ? '\u00a0'
        : isNarrowed
          ? `${number(shown)} of ${number(all)}`
          : counted(all, 'content item')}
    </span>
  );
}

export function ListSkeleton() {
  return (
    <Stack gap={12} className={styles['late']} role="status" aria-label="Loading the content">
      {skeletonRows.map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </Stack>
  );
}

export interface NothingMatchesProps {
  /** The id of a new content item that could be created; null: none. */
  readonly proposed: string | null;
  readonly onClear: () => void;
  readonly onCreate: (id: string) => void;
  /** Where texts are searched for it; null: nothing is searched for. */
  readonly textSearch: string | null;
}

export function NothingMatches(props: NothingMatchesProps) {
  const { proposed, onClear, onCreate, textSearch } = props;
  return (
    <EmptyState
      icon={<IconSearchOff />}
      title="Nothing matches"
      action={
        <Group justify="center">
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
          {textSearch !== null && (
            <Button
              component={Link}
              href={textSearch}
              leftSection={<IconSearch size={16} aria-hidden />}
            >
              Search texts instead
            </Button>
          )}
          {proposed !== null && (
            <Button variant="light" onClick={() => onCreate(proposed)}>
              Create {proposed}
            </Button>
          )}
        </Group>
      }
    >
      Searches ids, descriptions, tags, hashes and editors for every word.
    </EmptyState>
  );
}
