/** Groups of the list: by the first part of ids, or by tag. Pure. */
import type { ContentSummary } from '../../../contract/operations/contents.js';

export const groupings = ['none', 'prefix', 'tag'] as const;
export type Grouping = (typeof groupings)[number];

export interface ContentGroup {
  /** Of its kind: a prefix or a tag; '' for what is in no group. */
  readonly name: string;
  readonly label: string;
  readonly contents: readonly ContentSummary[];
}

/** A row of the list: the head of a group, or a content item. */
export type ListRow =
  | { readonly kind: 'group'; readonly group: ContentGroup; readonly isOpen: boolean }
  | {
      readonly kind: 'content';
      readonly content: ContentSummary;
      /** '' where there are no groups. */
      readonly group: string;
    };

const separator = /[._-]/;

/** `shop` of `shop-eu`, `shop.eu` and `Shop_EU`; '' where an id has one part only. */
export function prefixOf(id: string): string {
  const end = id.search(separator);
  return end <= 0 ? '' : id.slice(0, end).toLowerCase();
}

/**
 * The groups in their order, what belongs to none last; the order within them stays. A prefix is a group from two items on. With
 * tags, an item is in the group of each.
 */
export function groupsOf(
  contents: readonly ContentSummary[],
  grouping: Exclude<Grouping, 'none'>,
): ContentGroup[] {
  const groups = new Map<string, ContentSummary[]>();
  const rest: ContentSummary[] = [];
  const add = (name: string, content: ContentSummary): void => {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [content]);
    else group.push(content);
  };
  const isGroup = grouping === 'prefix' ? prefixesOf(contents) : null;
  for (const content of contents) {
    // An item that is called as a prefix belongs to it: `shop` and `shop-eu`.
    const own = prefixOf(content.id) || content.id.toLowerCase();
    const names = isGroup === null ? content.tags : isGroup.has(own) ? [own] : [];
    for (const name of names) add(name, content);
    if (names.length === 0) rest.push(content);
  }
  const found = [...groups].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const named = found.map(([name, members]) => ({ name, label: name, contents: members }));
  if (rest.length === 0) return named;
  const label = grouping === 'tag' ? 'No tags' : 'Others';
  return [...named, { name: '', label, contents: rest }];
}

function prefixesOf(contents: readonly ContentSummary[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { id } of contents) {
    const prefix = prefixOf(id);
    if (prefix !== '') counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const ids = new Set(contents.map(({ id }) => id.toLowerCase()));
  return new Set(
    [...counts].filter(([name, count]) => count > 1 || ids.has(name)).map(([name]) => name),
  );
}

/** @param closed names of groups whose items are not shown */
export function rowsOf(
  contents: readonly ContentSummary[],
  grouping: Grouping,
  closed: ReadonlySet<string>,
): ListRow[] {
  if (grouping === 'none')
    return contents.map((content) => ({ kind: 'content', content, group: '' }));
  return groupsOf(contents, grouping).flatMap((group) => {
    const isOpen = !closed.has(group.name);
    const head: ListRow = { kind: 'group', group, isOpen };
    if (!isOpen) return [head];
    const { name } = group;
    return [
      head,
      ...group.contents.map((content): ListRow => ({ kind: 'content', content, group: name })),
    ];
  });
}

export function keyOfRow(row: ListRow): string {
  return row.kind === 'group' ? `group ${row.group.name}` : `${row.content.id} ${row.group}`;
}
