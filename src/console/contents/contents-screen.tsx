/** The content items of an environment: search, open, create, copy, delete and restore. */
import { Anchor, Button, Stack, Tooltip } from '@mantine/core';
import { IconFilePlus, IconFiles } from '@tabler/icons-react';
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { ContentSummary } from '../../contract/operations/contents.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useEditableEnvironments, useReadOnlyReason } from '../session/edit-rights.js';
import { contentColumns } from './content-columns.js';
import { ContentMenu } from './content-menu.js';
import styles from './contents.module.css';
import { useContents } from './contents-query.js';
import { DeletedContents } from './deleted-contents.js';
import { contentIdIssue } from './edit/content-id-issue.js';
import { contentSlug } from './edit/content-slug.js';
import { DeleteContent } from './edit/delete-content.js';
import { DuplicateContent } from './edit/duplicate-content.js';
import { useNewContent } from './edit/use-new-content.js';
import { ListFilters } from './list-filters.js';
import { Count, ListSkeleton, NothingMatches } from './list-states.js';
import {
  contentsInView,
  countTags,
  hasFilters,
  type ListView,
  noFilters,
  searchWords,
} from './list-view.js';
import { useListView } from './use-list-view.js';
import { type TableHandle, VirtualTable } from './virtual-table.js';

type Dialog = { readonly what: 'duplicate' | 'delete'; readonly content: ContentSummary } | null;

const idOf = ({ id }: ContentSummary): string => id;

const presentView: Partial<ListView> = { isDeleted: false, sort: 'id', isDescending: false };
const deletedView: Partial<ListView> = {
  ...{ isDeleted: true, sort: 'deleted', isDescending: true },
  ...{ tags: [], state: null, kind: null },
};

export function ContentsScreen() {
  const { env = '' } = useParams<{ env: string }>();
  return <ContentsOf key={env} env={env} />;
}

function ContentsOf({ env }: { readonly env: string }) {
  const [view, change] = useListView();
  const readOnlyReason = useReadOnlyReason();
  const list = useContents(env, view.isDeleted);
  const { contents, data } = list;
  // Typing stays responsive while a long list renders.
  const rendered = useDeferredValue(view);
  const shown = useMemo(() => contentsInView(contents, rendered), [contents, rendered]);
  const taken = useMemo(() => new Set(contents.map(({ key }) => key)), [contents]);
  const newContent = useNewContent(
    env,
    data === undefined || view.isDeleted ? null : taken,
    readOnlyReason === null && !view.isDeleted,
  );
  const proposed = contentSlug(view.query.trim());
  const mayPropose = readOnlyReason === null && contentIdIssue(proposed, taken) === null;
  const create = (
    <Tooltip label={readOnlyReason} disabled={readOnlyReason === null}>
      <Button
        leftSection={<IconFilePlus size={18} aria-hidden />}
        aria-disabled={readOnlyReason !== null}
        data-disabled={readOnlyReason !== null || undefined}
        onClick={() => readOnlyReason === null && newContent.ask('')}
      >
        New content item
      </Button>
    </Tooltip>
  );
  return (
    <Page
      title={view.isDeleted ? 'Deleted content' : 'Content'}
      description={
        view.isDeleted ? (
          <Anchor component="button" size="sm" onClick={() => change(presentView)}>
            Back to all content
          </Anchor>
        ) : (
          <Count all={data?.length} shown={shown.length} isNarrowed={hasFilters(rendered)} />
        )
      }
      actions={
        !view.isDeleted && (
          <>
            <Button variant="default" onClick={() => change(deletedView)}>
              Deleted
            </Button>
            {create}
          </>
        )
      }
    >
      {list.error !== null && data === undefined ? (
        <ProblemAlert
          title="The content could not be listed"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      ) : data?.length === 0 && !view.isDeleted ? (
        <EmptyState
          icon={<IconFiles />}
          title="No content yet"
          action={readOnlyReason === null ? create : undefined}
        >
          A content item is a named piece of configuration that games request: a shop, a level, a
          set of switches.{' '}
          {readOnlyReason ??
            'Create the first one here, drop a JSON file on this page, or copy an environment with Sync.'}
        </EmptyState>
      ) : (
        <FilteredList
          {...{ env, view, rendered, shown, list, readOnlyReason }}
          onChange={change}
          nothingMatches={
            <NothingMatches
              proposed={mayPropose ? proposed : null}
              onClear={() => change(noFilters)}
              onCreate={newContent.ask}
            />
          }
        />
      )}
      {newContent.shown}
    </Page>
  );
}

interface FilteredListProps {
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

function FilteredList(props: FilteredListProps) {
  const { env, view, rendered, shown, list, readOnlyReason, onChange, nothingMatches } = props;
  const { contents, data, isPending } = list;
  const [, go] = useLocation();
  const [dialog, setDialog] = useState<Dialog>(null);
  const table = useRef<TableHandle>(null);
  const targets = useEditableEnvironments();
  const tags = useMemo(() => countTags(data ?? []), [data]);
  const open = useCallback(
    ({ id }: ContentSummary): void => {
      go(pathOf.content(env, id));
      window.scrollTo(0, 0);
    },
    [env, go],
  );
  const sort = useCallback(
    (column: ListView['sort'], isDescending: boolean) => onChange({ sort: column, isDescending }),
    [onChange],
  );
  const columns = useMemo(
    () =>
      contentColumns({
        env,
        words: searchWords(rendered.query),
        onOpen: open,
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
    [env, rendered.query, open, readOnlyReason, targets],
  );
  const close = (): void => setDialog(null);
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
      />
      {isPending ? (
        <ListSkeleton />
      ) : view.isDeleted ? (
        <DeletedContents contents={shown} {...{ env, view, onChange }} />
      ) : shown.length === 0 ? (
        nothingMatches
      ) : (
        <div className={styles['marks']}>
          <VirtualTable
            label={`Content of ${env}`}
            rows={shown}
            keyOf={idOf}
            columns={columns}
            sort={view.sort}
            isDescending={view.isDescending}
            onSort={sort}
            onOpen={open}
            handle={table}
          />
        </div>
      )}
      {dialog?.what === 'duplicate' && (
        <DuplicateContent env={env} content={dialog.content} targets={targets} onClose={close} />
      )}
      {dialog?.what === 'delete' && (
        <DeleteContent env={env} content={dialog.content} onClose={close} />
      )}
    </Stack>
  );
}
