/** The deleted content items, which can be restored. */
import { Button, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { ContentSummary } from '../../contract/operations/contents.js';
import { IconRestore, IconTrash } from '../icons/icons.js';
import { EmptyState } from '../parts/empty-state.js';
import { When } from '../parts/time/when.js';
import { usePublishReason } from '../session/edit-rights.js';
import { type ContentColumn, Description, tagsColumn } from './content-columns.js';
import styles from './contents.module.css';
import { useAskedRestore } from './edit/use-asked-restore.js';
import { FoundText } from './found-text.js';
import { type ListView, searchWords } from './list-view.js';
import { VirtualTable } from './virtual-table.js';

export interface DeletedContentsProps {
  readonly env: string;
  readonly contents: readonly ContentSummary[];
  readonly view: ListView;
  readonly onChange: (change: Partial<ListView>) => void;
}

export function DeletedContents(props: DeletedContentsProps) {
  const { env, contents, view, onChange } = props;
  const publishReason = usePublishReason(env);
  const { restore: ask, pending, dialog } = useAskedRestore(env);
  const restore = useCallback(
    (content: ContentSummary) => (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRestore size={14} aria-hidden />}
        loading={pending === content.id}
        disabled={publishReason !== null}
        title={publishReason ?? undefined}
        aria-label={`Restore ${content.id}`}
        onClick={() => ask(content.id)}
      >
        Restore
      </Button>
    ),
    [ask, pending, publishReason],
  );
  const columns = useMemo(() => columnsOf(searchWords(view.query), restore), [view.query, restore]);
  if (contents.length === 0) {
    return (
      <EmptyState
        icon={<IconTrash />}
        title={view.query.trim() === '' ? 'Nothing was deleted' : 'No deleted content item matches'}
      >
        {view.query.trim() === ''
          ? 'Deleted content items stay here for a while, with their history, and can be restored.'
          : 'Search for another part of its id, description or tags.'}
      </EmptyState>
    );
  }
  return (
    <>
      <VirtualTable
        label={`Deleted content of ${env}`}
        rows={contents}
        keyOf={({ id }) => id}
        columns={columns}
        sort={view.sort}
        isDescending={view.isDescending}
        onSort={(sort, isDescending) => onChange({ sort, isDescending })}
      />
      {dialog}
    </>
  );
}

function columnsOf(
  words: readonly string[],
  restore: ContentColumn['cell'],
): readonly ContentColumn[] {
  return [
    {
      name: 'content',
      label: 'Content',
      className: styles['content'],
      sort: 'id',
      cell: (content) => (
        <>
          <Text className="mono" fw={600} truncate title={content.id}>
            <FoundText text={content.id} words={words} />
          </Text>
          <Description content={content} words={words} />
          <div className={styles['narrow']}>
            <DeletedWhen content={content} />
          </div>
        </>
      ),
    },
    tagsColumn,
    {
      name: 'state',
      label: 'Was',
      className: styles['state'],
      cell: ({ live, newest }) => (
        <Text size="sm">{live === null ? `draft r${newest}` : `live, r${live}`}</Text>
      ),
    },
    {
      name: 'deleted',
      label: 'Deleted',
      className: styles['deleted'],
      sort: 'deleted',
      cell: (content) => <DeletedWhen content={content} />,
    },
    {
      name: 'restore',
      label: 'Restore',
      className: styles['restore'],
      isLabelHidden: true,
      cell: restore,
    },
  ];
}

function DeletedWhen({ content }: { readonly content: ContentSummary }) {
  return (
    <div>
      <When at={content.deletedAt} size="sm" />
      {content.deletedBy !== null && (
        <Text size="xs" c="dimmed" truncate>
          by {content.deletedBy}
        </Text>
      )}
    </div>
  );
}
