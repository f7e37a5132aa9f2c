/**
 * The columns of the list of content items. Rows appear by dozens while the user scrolls or types, so they consist mostly of
 * plain elements: components of the library would take some milliseconds per row.
 */
import type { ReactNode } from 'react';
import type { ContentSummary } from '../../contract/operations/contents.js';
import { pathOf } from '../parts/environments.js';
import { formatBytes } from '../parts/format-bytes.js';
import { exactTime } from '../parts/time/formats.js';
import { timeAgo } from '../parts/time/time-ago.js';
import { type ColumnName, columnLabels } from './columns/column-names.js';
import { ContentStateBadges } from './content-state.js';
import styles from './contents.module.css';
import { FoundText } from './found-text.js';
import { HashCell } from './hash-cell.js';
import type { SortColumn } from './list-view.js';
import { GroupHead, type GroupHeadProps } from './rows/group-head.js';
import type { ListRow } from './rows/list-groups.js';
import type { RowSelection } from './rows/row-selection.js';
import { SelectBox, SelectSome } from './rows/select-box.js';
import type { TableColumn } from './virtual-table.js';

export type ContentColumn = TableColumn<ContentSummary, SortColumn>;
export type RowColumn = TableColumn<ListRow, SortColumn>;

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
  /** Lower-case ids with unsaved edits in this tab. */
  readonly unsaved: ReadonlySet<string>;
  readonly chosen: readonly ColumnName[];
  readonly onOpen: (content: ContentSummary) => void;
  readonly onToggleGroup: GroupHeadProps['onToggle'];
  readonly menu: (content: ContentSummary) => ReactNode;
}

export function contentColumns(options: ColumnsOf): RowColumn[] {
  const { chosen, menu } = options;
  return [
    idColumn(options),
    ...chosen.map((name) => rowColumn(choosable[name])),
    rowColumn({
      name: 'menu',
      label: 'Actions',
      className: styles['menu'],
      isLabelHidden: true,
      cell: menu,
    }),
  ];
}

/** @param ids all that match, for the box in the head */
export function selectColumn(
  selection: RowSelection,
  ids: readonly string[],
  onExtend: (id: string) => void,
): RowColumn {
  return {
    name: 'select',
    label: 'Selection',
    className: styles['select'],
    isLabelHidden: true,
    head: <SelectSome selection={selection} ids={ids} label="Select all that match" />,
    cell: (row) =>
      row.kind === 'content' ? (
        <SelectBox selection={selection} id={row.content.id} onExtend={onExtend} />
      ) : (
        <SelectSome
          selection={selection}
          ids={row.group.contents.map(({ id }) => id)}
          label={`Select all of ${row.group.label}`}
        />
      ),
  };
}

/** A group has a head, and nothing in the other columns. */
function rowColumn({ cell, ...column }: ContentColumn): RowColumn {
  return { ...column, cell: (row) => (row.kind === 'content' ? cell(row.content) : null) };
}

function idColumn({ env, words, unsaved, onOpen, onToggleGroup }: ColumnsOf): RowColumn {
  return {
    name: 'content',
    label: 'Content',
    className: styles['content'],
    sort: 'id',
    cell: (row) => {
      if (row.kind === 'group') return <GroupHead {...row} onToggle={onToggleGroup} />;
      const { content } = row;
      return (
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
            {unsaved.has(content.id.toLowerCase()) && (
              <span
                className={`${styles['badge']} ${styles['unsaved']}`}
                title="You typed something here that is not saved. Only this tab has it."
              >
                unsaved here
              </span>
            )}
          </div>
          <Description content={content} words={words} />
          <div className={styles['narrow']}>
            <ContentStateBadges content={content} />
            <Moment at={content.updatedAt} />
          </div>
        </>
      );
    },
  };
}

const choosable: Readonly<Record<ColumnName, ContentColumn>> = {
  tags: tagsColumn,
  state: {
    ...labelled('state'),
    sort: 'state',
    cell: (content) => <ContentStateBadges content={content} />,
  },
  'live-since': {
    ...labelled('live-since'),
    sort: 'live-since',
    cell: ({ liveSince }) => (liveSince === null ? '' : <Moment at={liveSince} />),
  },
  targeting: {
    ...labelled('targeting'),
    sort: 'targeting',
    cell: ({ dynamic }) => (dynamic ? 'Targeted' : 'Same for all'),
  },
  lines: { ...labelled('lines'), sort: 'lines', cell: ({ lines }) => lines },
  size: { ...labelled('size'), sort: 'size', cell: ({ jsonBytes }) => formatBytes(jsonBytes) },
  author: {
    ...labelled('author'),
    sort: 'author',
    cell: ({ author }) => <div className={styles['wrapped']}>{author}</div>,
  },
  updated: {
    ...labelled('updated'),
    sort: 'updated',
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
  hash: { ...labelled('hash'), cell: ({ id, hash }) => <HashCell id={id} hash={hash} /> },
};

function labelled(name: ColumnName): Pick<ContentColumn, 'name' | 'label' | 'className'> {
  return { name, label: columnLabels[name], className: styles[name] };
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
