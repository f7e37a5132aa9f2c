/** Which content items a list shows, in which order, and how the page's address holds that. Pure. */
import type { ContentSummary } from '../../contract/operations/contents.js';
import { type ColumnName, readColumns } from './columns/column-names.js';
import { type Grouping, groupings } from './rows/list-groups.js';

const blank = /\s+/;

const contentStates = ['live', 'draft', 'unpublished'] as const;
export type ContentState = (typeof contentStates)[number];
const contentKinds = ['dynamic', 'plain'] as const;
export type ContentKind = (typeof contentKinds)[number];
const sortColumns = [
  ...(['id', 'state', 'size', 'author', 'updated', 'deleted'] as const),
  ...(['live-since', 'targeting', 'lines'] as const),
] as const;
export type SortColumn = (typeof sortColumns)[number];

export interface ListView {
  readonly query: string;
  /** A content item must have all of them. */
  readonly tags: readonly string[];
  readonly state: ContentState | null;
  readonly kind: ContentKind | null;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
  /** The deleted ones instead. */
  readonly isDeleted: boolean;
  /** Null: as the person has them here. */
  readonly grouping: Grouping | null;
  readonly columns: readonly ColumnName[] | null;
}

export const noFilters: Pick<ListView, 'query' | 'tags' | 'state' | 'kind'> = {
  query: '',
  tags: [],
  state: null,
  kind: null,
};

export const plainView: ListView = {
  ...noFilters,
  sort: 'id',
  isDescending: false,
  isDeleted: false,
  grouping: null,
  columns: null,
};

export function readView(params: URLSearchParams): ListView {
  const order = params.get('sort') ?? '';
  const isDescending = order.startsWith('-');
  return {
    query: params.get('q') ?? '',
    tags: params.getAll('tag'),
    state: oneOf(contentStates, params.get('state')),
    kind: oneOf(contentKinds, params.get('kind')),
    sort: oneOf(sortColumns, isDescending ? order.slice(1) : order) ?? 'id',
    isDescending,
    isDeleted: params.get('view') === 'deleted',
    grouping: oneOf(groupings, params.get('group')),
    columns: readColumns(params.get('columns')),
  };
}

/** Only the differences from the plain view, so that addresses stay short. */
export function writeView(view: ListView): URLSearchParams {
  const params = new URLSearchParams();
  if (view.isDeleted) params.set('view', 'deleted');
  if (view.query !== '') params.set('q', view.query);
  for (const tag of view.tags) params.append('tag', tag);
  if (view.state !== null) params.set('state', view.state);
  if (view.kind !== null) params.set('kind', view.kind);
  const order = `${view.isDescending ? '-' : ''}${view.sort}`;
  if (order !== 'id') params.set('sort', order);
  if (view.grouping !== null) params.set('group', view.grouping);
  if (view.columns !== null) params.set('columns', view.columns.join());
  return params;
}

export function hasFilters({ query, tags, state, kind }: ListView): boolean {
  return query.trim() !== '' || tags.length > 0 || state !== null || kind !== null;
}

/** A content item may be in two states: live, with a newer draft. */
function isInState(content: ContentSummary, state: ContentState): boolean {
  switch (state) {
    case 'live':
      return content.live !== null;
    case 'draft':
      return content.live !== null && content.newest > content.live;
    case 'unpublished':
      return content.live === null;
  }
}

/** A content item with its search text and sort key, prepared once per response. */
export interface ListedContent {
  readonly content: ContentSummary;
  readonly key: string;
  readonly text: string;
}

export function listed(contents: readonly ContentSummary[]): ListedContent[] {
  return contents.map((content) => ({
    content,
    key: content.id.toLowerCase(),
    text: [content.id, content.description, ...content.tags, content.hash, content.author]
      .join('\n')
      .toLowerCase(),
  }));
}

export function contentsInView(
  contents: readonly ListedContent[],
  view: ListView,
): readonly ContentSummary[] {
  const words = searchWords(view.query);
  const shown = contents.filter(
    ({ content, text }) =>
      words.every((word) => text.includes(word)) &&
      view.tags.every((tag) => content.tags.includes(tag)) &&
      (view.state === null || isInState(content, view.state)) &&
      (view.kind === null || content.dynamic === (view.kind === 'dynamic')),
  );
  return sorted(shown, view).map(({ content }) => content);
}

/** The words of a search; each must match anywhere. */
export function searchWords(query: string): string[] {
  return query.toLowerCase().split(blank).filter(Boolean);
}

/** The number of content items with each tag, by name. */
export function countTags(contents: readonly ContentSummary[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tags } of contents) {
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => compare(a.toLowerCase(), b.toLowerCase())));
}

function sorted(contents: ListedContent[], { sort, isDescending }: ListView): ListedContent[] {
  const sign = isDescending ? -1 : 1;
  return contents.sort(
    (a, b) => sign * compare(rankOf(a, sort), rankOf(b, sort)) || compare(a.key, b.key),
  );
}

function rankOf({ content, key }: ListedContent, sort: SortColumn): string | number {
  switch (sort) {
    case 'id':
      return key;
    case 'state':
      return content.live === null ? 2 : content.newest > content.live ? 1 : 0;
    case 'size':
      return content.jsonBytes;
    case 'author':
      return content.author.toLowerCase();
    case 'updated':
      return content.updatedAt;
    case 'deleted':
      return content.deletedAt ?? '';
    case 'live-since':
      return content.liveSince ?? '';
    case 'targeting':
      return content.dynamic ? 0 : 1;
    case 'lines':
      return content.lines;
  }
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function oneOf<const T extends string>(known: readonly T[], text: string | null): T | null {
  return known.find((one) => one === text) ?? null;
}
