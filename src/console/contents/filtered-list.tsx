/** The list of content items: filters, groups, the table, and what can be done with one row or with the selected ones. */
import { Stack } from '@mantine/core';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import type { ContentSummary } from '../../contract/operations/contents.js';
import { storedDraftIds } from '../draft/stored-draft.js';
import { pathOf } from '../parts/environments.js';
import { useEditableEnvironments } from '../session/edit-rights.js';
import { useSession } from '../session/session.js';
import { BulkActs } from './bulk/bulk-acts.js';
import { ColumnChoice } from './columns/column-choice.js';
import type { ListLayout } from './columns/kept-layout.js';
import { useListLayout } from './columns/use-list-layout.js';
import { contentColumns, selectColumn } from './content-columns.js';
import { ContentMenu } from './content-menu.js';
import type { useContents } from './contents-query.js';
import { DeletedContents } from './deleted-contents.js';
import { DeleteContent } from './edit/delete-content.js';
import { DuplicateContent } from './edit/duplicate-content.js';
import { ListFilters } from './list-filters.js';
import { ListSkeleton } from './list-states.js';
import { contentsInView, countTags, type ListView, searchWords } from './list-view.js';
import { type ContentGroup, keyOfRow, type ListRow, rowsOf } from './rows/list-groups.js';
import { RowSelection } from './rows/row-selection.js';
import { type TableHandle, VirtualTable } from './virtual-table.js';

type Dialog = { readonly what: 'duplicate' | 'delete'; readonly content: ContentSummary } | null;

const nothing: readonly ContentSummary[] = [];

export interface FilteredListProps {
  readonly env: string;
  readonly view: ListView;
  /** The view that the rows belong to. */
  readonly rendered: ListView;
  readonly shown: readonly ContentSummary[];
  readonly list: ReturnType<typeof useContents>;
  readonly readOnlyReason: string | null;
  readonly onChange: (change: Partial<ListView>) => void;
  readonly nothingMatches: ReactNode;
}

export function FilteredList(props: FilteredListProps) {
  const { env, view, shown, list, onChange, nothingMatches } = props;
  const { contents, data, isPending } = list;
  const [, go] = useLocation();
  const table = useRef<TableHandle>(null);
  const tags = useMemo(() => countTags(data ?? nothing), [data]);
  const [layout, changeLayout] = useListLayout(env, view, onChange);
  const open = useCallback(
    ({ id }: ContentSummary): void => {
      go(pathOf.content(env, id));
      window.scrollTo(0, 0);
    },
    [env, go],
  );
  return (
    <Stack gap="sm">
      <ListFilters
        view={view}
        tags={tags}
        onChange={onChange}
        onDown={() => table.current?.focusRow(0)}
        onEnter={() => {
          const [first] = contentsInView(contents, view);
          if (first !== undefined && !view.isDeleted) open(first);
        }}
      >
        {!view.isDeleted && <ColumnChoice layout={layout} onChange={changeLayout} />}
      </ListFilters>
      {isPending ? (
        <ListSkeleton />
      ) : view.isDeleted ? (
        <DeletedContents contents={shown} {...{ env, view, onChange }} />
      ) : (
        <PresentContents
          {...props}
          {...{ layout, open, table }}
          tags={[...tags.keys()]}
          onLayout={changeLayout}
          nothingMatches={nothingMatches}
        />
      )}
    </Stack>
  );
}

interface PresentContentsProps extends FilteredListProps {
  readonly layout: ListLayout;
  readonly onLayout: (change: Partial<ListLayout>) => void;
  readonly tags: readonly string[];
  readonly open: (content: ContentSummary) => void;
  readonly table: RefObject<TableHandle | null>;
}

function PresentContents(props: PresentContentsProps) {
  const { env, view, rendered, shown, list, readOnlyReason, nothingMatches } = props;
  const { layout, onLayout, onChange, open, table, tags } = props;
  const data = list.data ?? nothing;
  const [dialog, setDialog] = useState<Dialog>(null);
  const [selection] = useState(() => new RowSelection());
  const targets = useEditableEnvironments();
  const unsaved = useUnsaved(env);
  useEffect(() => selection.keep(new Set(data.map(({ id }) => id))), [selection, data]);
  const { grouping, closed, columns: chosen } = layout;
  const rows = useMemo(() => rowsOf(shown, grouping, new Set(closed)), [shown, grouping, closed]);
  const shownIds = useMemo(() => shown.map(({ id }) => id), [shown]);
  const sort = useCallback(
    (column: ListView['sort'], isDescending: boolean) => onChange({ sort: column, isDescending }),
    [onChange],
  );
  const toggleGroup = useCallback(
    ({ name }: ContentGroup) =>
      onLayout({
        closed: closed.includes(name) ? closed.filter((one) => one !== name) : [...closed, name],
      }),
    [closed, onLayout],
  );
  const select = useCallback(
    (row: ListRow, how: 'toggle' | 'extend') => {
      if (row.kind === 'group') return;
      if (how === 'toggle') selection.toggle(row.content.id);
      else selection.extend(idsInOrder(rows), row.content.id);
    },
    [rows, selection],
  );
  const columns = useMemo(
    () => [
      selectColumn(selection, shownIds, (id) => selection.extend(idsInOrder(rows), id)),
      ...contentColumns({
        ...{ env, unsaved, chosen },
        words: searchWords(rendered.query),
        onOpen: open,
        onToggleGroup: toggleGroup,
        menu: (content) => (
          <ContentMenu
            env={env}
            content={content}
            readOnlyReason={readOnlyReason}
            mayDuplicate={targets.length > 0}
            onDuplicate={() => setDialog({ what: 'duplicate', content })}
            onDelete={() => setDialog({ what: 'delete', content })}
          />
        ),
      }),
    ],
    [
      env,
      rendered,
      open,
      readOnlyReason,
      targets,
      unsaved,
      chosen,
      toggleGroup,
      selection,
      shownIds,
      rows,
    ],
  );
  const openRow = useCallback(
    (row: ListRow) => (row.kind === 'group' ? toggleGroup(row.group) : open(row.content)),
    [open, toggleGroup],
  );
  const close = (): void => setDialog(null);
  return (
    <>
      {shown.length === 0 ? (
        nothingMatches
      ) : (
        <VirtualTable
          label={`Content of ${env}`}
          rows={rows}
          keyOf={keyOfRow}
          columns={columns}
          sort={view.sort}
          isDescending={view.isDescending}
          onSort={sort}
          onOpen={openRow}
          onSelect={select}
          handle={table}
        />
      )}
      <BulkActs {...{ env, selection, shownIds, tags, readOnlyReason }} contents={data} />
      {dialog?.what === 'duplicate' && (
        <DuplicateContent env={env} content={dialog.content} targets={targets} onClose={close} />
      )}
      {dialog?.what === 'delete' && (
        <DeleteContent env={env} content={dialog.content} onClose={close} />
      )}
    </>
  );
}

/** Ids of the rows that are shown, from the first to the last. */
function idsInOrder(rows: readonly ListRow[]): string[] {
  return rows.flatMap((row) => (row.kind === 'content' ? [row.content.id] : []));
}

/** Lower-case ids with unsaved edits. They are typed on other screens, so this one looks once. */
function useUnsaved(env: string): ReadonlySet<string> {
  const { name: user } = useSession();
  const [ids] = useState(() => storedDraftIds(user, env));
  return ids;
}
