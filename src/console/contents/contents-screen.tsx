/** The contents of an environment: found, opened, made, copied, deleted and brought back. */
import { Anchor, Button, Stack, Tooltip } from '@mantine/core';
import { IconFilePlus, IconFiles } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
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
import { contentIdFault } from './edit/content-id-fault.js';
import { contentSlug } from './edit/content-slug.js';
import { DeleteContent } from './edit/delete-content.js';
import { DuplicateContent } from './edit/duplicate-content.js';
import { useNewContent } from './edit/use-new-content.js';
import { ListFilters } from './list-filters.js';
import { Count, ListSkeleton, NothingMatches } from './list-states.js';
import { contentsInView, countTags, hasFilters, type SortColumn, wordsOf } from './list-view.js';
import { useListView } from './use-list-view.js';
import { type TableHandle, VirtualTable } from './virtual-table.js';

type Asked = { readonly what: 'duplicate' | 'delete'; readonly content: ContentSummary } | null;

const idOf = ({ id }: ContentSummary): string => id;

export function ContentsScreen() {
  const { env = '' } = useParams<{ env: string }>();
  return <ContentsOf key={env} env={env} />;
}

function ContentsOf({ env }: { readonly env: string }) {
  const [, go] = useLocation();
  const [view, change] = useListView();
  const [asked, setAsked] = useState<Asked>(null);
  const table = useRef<TableHandle>(null);
  const readOnlyReason = useReadOnlyReason(env);
  const targets = useEditableEnvironments();
  const { contents, data, error, isPending, refetch } = useContents(env, view.isDeleted);

  // Typing goes on while a long list is drawn anew.
  const drawn = useDeferredValue(view);
  const shown = useMemo(() => contentsInView(contents, drawn), [contents, drawn]);
  const tags = useMemo(() => countTags(data ?? []), [data]);
  const taken = useMemo(() => new Set(contents.map(({ key }) => key)), [contents]);

  const open = useCallback(
    ({ id }: ContentSummary): void => {
      go(pathOf.content(env, id));
      window.scrollTo(0, 0);
    },
    [env, go],
  );
  const sort = useCallback(
    (column: SortColumn, isDescending: boolean) => change({ sort: column, isDescending }),
    [change],
  );
  const columns = useMemo(
    () =>
      contentColumns({
        env,
        words: wordsOf(drawn.query),
        onOpen: open,
        menu: (content) => (
          <ContentMenu
            env={env}
            content={content}
            readOnlyReason={readOnlyReason}
            mayDuplicate={targets.length > 0}
            onDuplicate={() => setAsked({ what: 'duplicate', content })}
            onDelete={() => setAsked({ what: 'delete', content })}
          />
        ),
      }),
    [env, drawn.query, open, readOnlyReason, targets],
  );

  const newContent = useNewContent(
    env,
    data === undefined || view.isDeleted ? null : taken,
    readOnlyReason === null && !view.isDeleted,
  );
  const proposed = contentSlug(view.query.trim());
  const create = (
    <Tooltip label={readOnlyReason} disabled={readOnlyReason === null}>
      <Button
        leftSection={<IconFilePlus size={18} aria-hidden />}
        aria-disabled={readOnlyReason !== null}
        data-disabled={readOnlyReason !== null || undefined}
        onClick={() => {
          if (readOnlyReason === null) newContent.ask('');
        }}
      >
        New content
      </Button>
    </Tooltip>
  );
  const isEmpty = data !== undefined && data.length === 0 && !view.isDeleted;

  return (
    <Page
      title={view.isDeleted ? 'Deleted contents' : 'Contents'}
      description={
        view.isDeleted ? (
          <Anchor
            component="button"
            size="sm"
            onClick={() => change({ isDeleted: false, sort: 'id', isDescending: false })}
          >
            Back to all contents
          </Anchor>
        ) : (
          <Count all={data?.length} shown={shown.length} isNarrowed={hasFilters(drawn)} />
        )
      }
      actions={
        <>
          {!view.isDeleted && (
            <Button
              variant="default"
              onClick={() =>
                change({
                  isDeleted: true,
                  sort: 'deleted',
                  isDescending: true,
                  tags: [],
                  state: null,
                  kind: null,
                })
              }
            >
              Deleted
            </Button>
          )}
          {!view.isDeleted && create}
        </>
      }
    >
      {error !== null && data === undefined ? (
        <ProblemAlert
          title="The contents could not be listed"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : isEmpty ? (
        <EmptyState
          icon={<IconFiles />}
          title="No contents yet"
          action={readOnlyReason === null ? create : undefined}
        >
          A content is a named piece of configuration that games ask for: a shop, a level, a set of
          switches.{' '}
          {readOnlyReason === null
            ? 'Make the first one here, drop a JSON file on this page, or bring an environment over with Sync.'
            : readOnlyReason}
        </EmptyState>
      ) : (
        <Stack gap="sm">
          <ListFilters
            view={view}
            tags={tags}
            onChange={change}
            onDown={() => table.current?.focusRow(0)}
            onEnter={() => {
              const [first] = contentsInView(contents, view);
              if (first !== undefined && !view.isDeleted) open(first);
            }}
          />
          {isPending ? (
            <ListSkeleton />
          ) : view.isDeleted ? (
            <DeletedContents
              env={env}
              contents={shown}
              view={view}
              readOnlyReason={readOnlyReason}
              onChange={change}
            />
          ) : shown.length === 0 ? (
            <NothingMatches
              proposed={
                readOnlyReason === null && contentIdFault(proposed, taken) === null
                  ? proposed
                  : null
              }
              onClear={() => change({ query: '', tags: [], state: null, kind: null })}
              onCreate={newContent.ask}
            />
          ) : (
            <div className={styles['marks']}>
              <VirtualTable
                label={`Contents of ${env}`}
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
        </Stack>
      )}
      {newContent.shown}
      {asked?.what === 'duplicate' && (
        <DuplicateContent
          env={env}
          content={asked.content}
          targets={targets}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === 'delete' && (
        <DeleteContent env={env} content={asked.content} onClose={() => setAsked(null)} />
      )}
    </Page>
  );
}
