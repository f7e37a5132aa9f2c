/** Cells of a table of revisions: the time and author of one, and its note or origin. */
import { Text } from '@mantine/core';
import { formatMoment } from './time/formats.js';
import { When } from './time/when.js';

export interface SavedRevision {
  /** '' if unknown. */
  readonly author: string;
  readonly createdAt: string;
}

export function SavedCell({ row }: { readonly row: SavedRevision }) {
  return (
    <>
      <When at={row.createdAt} size="sm" />
      <Text size="xs" c="dimmed">
        {row.author === '' ? 'unknown author' : row.author},{' '}
        {formatMoment(new Date(row.createdAt), Date.now())}
      </Text>
    </>
  );
}

export interface NotedRevision {
  readonly note: string;
  readonly synced: { readonly from: string; readonly revision: number } | null;
}

export function NoteCell({ row }: { readonly row: NotedRevision }) {
  const { note, synced } = row;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }} {...(note === '' && { c: 'dimmed' })}>
        {note === '' ? 'no note' : note}
      </Text>
      {synced !== null && (
        <Text size="xs" c="dimmed">
          synced from {synced.from} r{synced.revision}
        </Text>
      )}
    </>
  );
}
