/**
 * The columns of the list of content items. Rows appear by dozens while the user scrolls or types, so they consist mostly of
 * plain elements: components of the library would take some milliseconds per row.
 */
import type { ReactNode } from 'react';
import type { ContentSummary } from '../../contract/operations/contents.js';
import { pathOf } from '../parts/environments.js';
import { formatBytes } from '../parts/format-bytes.js';
import { exactTime, timeAgo } from '../parts/time/when.js';
import { ContentStateBadges } from './content-state.js';
import styles from './contents.module.css';
import { FoundText } from './found-text.js';
import { HashCell } from './hash-cell.js';
import type { SortColumn } from './list-view.js';
import type { TableColumn } from './virtual-table.js';

export type ContentColumn = TableColumn<ContentSummary, SortColumn>;

const tagsShown = 2;

export const tagsColumn: ContentColumn = {
  name: 'tags',
  label: 'Tags',
  className: styles['tags'],
  cell: ({ tags }) => <Tags tags={tags} />,
};

export interface ColumnsOf {
  readonly env: string;
  /** The words of the search, to mark. */
  readonly words: readonly string[];
  readonly onOpen: (content: ContentSummary) => void;
  readonly menu: (content: ContentSummary) => ReactNode;
}

export function contentColumns({ env, words, onOpen, menu }: ColumnsOf): ContentColumn[] {
  return [
    {
      name: 'content',
      label: 'Content',
      className: styles['content'],
      sort: 'id',
      cell: (content) => (
        <>
          <div className={styles['id']}>
            <a
              href={pathOf.content(env, content.id)}
              className={`${styles['link']} mono`}
              title={content.id}
              onClick={(event) => {
                // With a modifier key it opens in a new tab or window, as links do.
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                onOpen(content);
              }}
            >
              <FoundText text={content.id} words={words} />
            </a>
            {content.dynamic && (
              <span
                className={`${styles['badge']} ${styles['dynamic']}`}
                title="It has targeting rules: players may get different values."
              >
                targeted
              </span>
            )}
          </div>
          <Description content={content} words={words} />
          <div className={styles['narrow']}>
            <ContentStateBadges content={content} />
            <Moment at={content.updatedAt} />
          </div>
        </>
      ),
    },
    tagsColumn,
    {
      name: 'state',
      label: 'State',
      className: styles['state'],
      sort: 'state',
      cell: (content) => <ContentStateBadges content={content} />,
    },
    {
      name: 'hash',
      label: 'Hash',
      className: styles['hash'],
      cell: ({ id, hash }) => <HashCell id={id} hash={hash} />,
    },
    {
      name: 'size',
      label: 'Size',
      className: styles['size'],
      sort: 'size',
      cell: ({ jsonBytes }) => formatBytes(jsonBytes),
    },
    {
      name: 'author',
      label: 'Last editor',
      className: styles['author'],
      sort: 'author',
      cell: ({ author }) => (
        <div className={styles['cut']} title={author}>
          {author}
        </div>
      ),
    },
    {
      name: 'updated',
      label: 'Updated',
      className: styles['updated'],
      sort: 'updated',
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
    {
      name: 'menu',
      label: 'Actions',
      className: styles['menu'],
      isLabelHidden: true,
      cell: menu,
    },
  ];
}

export function Description({
  content,
  words,
}: {
  readonly content: ContentSummary;
  readonly words: readonly string[];
}) {
  if (content.description === '') return null;
  return (
    <div className={styles['description']} title={content.description}>
      <FoundText text={content.description} words={words} />
    </div>
  );
}

function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {timeAgo(at, Date.now())}
    </time>
  );
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  const rest = tags.slice(tagsShown).join(', ');
  return (
    <div className={styles['badges']}>
      {tags.slice(0, tagsShown).map((tag) => (
        <span key={tag} className={styles['badge']} title={tag}>
          {tag}
        </span>
      ))}
      {rest !== '' && (
        <span className={styles['badge']} title={rest}>
          +{tags.length - tagsShown}
          <span className={styles['unseen']}> more: {rest}</span>
        </span>
      )}
    </div>
  );
}
