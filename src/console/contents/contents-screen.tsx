/** The content items of an environment: search, open, create, copy, delete and restore. */
import { Anchor, Button, Tooltip } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { useParams } from 'wouter';
import { IconFilePlus, IconFiles } from '../icons/icons.js';
import { type Shortcut, useCommands, useShortcuts } from '../palette/use-commands.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { useContents } from './contents-query.js';
import { contentIdIssue } from './edit/content-id-issue.js';
import { contentSlug } from './edit/content-slug.js';
import { useNewContent } from './edit/use-new-content.js';
import { FilteredList } from './filtered-list.js';
import { Count, NothingMatches } from './list-states.js';
import { contentsInView, hasFilters, type ListView, noFilters } from './list-view.js';
import { useListView } from './use-list-view.js';

const presentView: Partial<ListView> = { isDeleted: false, sort: 'id', isDescending: false };
const deletedView: Partial<ListView> = {
  ...{ isDeleted: true, sort: 'deleted', isDescending: true },
  ...{ tags: [], state: null, kind: null },
};

const listShortcuts: readonly Shortcut[] = [
  { keys: ['/'], does: 'Search the list' },
  { keys: ['ArrowDown'], does: 'From the search into the list' },
  { keys: ['Enter'], does: 'Open the content item' },
  { keys: ['Space'], does: 'Select the content item' },
];

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
  useCommands([
    {
      name: 'New content item…',
      keywords: ['create', 'add'],
      disabledReason: readOnlyReason,
      run: () => newContent.ask(''),
    },
    {
      name: view.isDeleted ? 'Show all content' : 'Show deleted content',
      keywords: ['restore'],
      run: () => change(view.isDeleted ? presentView : deletedView),
    },
  ]);
  useShortcuts(listShortcuts);
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
              textSearch={view.query.trim() === '' ? null : pathOf.search(env, view.query.trim())}
            />
          }
        />
      )}
      {newContent.shown}
    </Page>
  );
}
