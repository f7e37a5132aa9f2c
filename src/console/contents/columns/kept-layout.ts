/** How a person last had the list of an environment: kept in this browser, for an address that does not say. */
import { type Grouping, groupings } from '../rows/list-groups.js';
import { type ColumnName, defaultColumns, readColumns } from './column-names.js';

export interface ListLayout {
  readonly grouping: Grouping;
  readonly columns: readonly ColumnName[];
  /** Names of groups whose items are not shown. */
  readonly closed: readonly string[];
}

export const plainLayout: ListLayout = { grouping: 'none', columns: defaultColumns, closed: [] };

export interface LayoutPlace {
  readonly user: string;
  readonly env: string;
}

/** Names of groups that are kept, so that the entry stays small. */
const closedMax = 500;

export function readLayout(place: LayoutPlace): ListLayout {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(place)) ?? '{}');
    const { grouping, columns, closed } = kept as Readonly<Record<string, unknown>>;
    return {
      grouping: groupings.find((one) => one === grouping) ?? plainLayout.grouping,
      columns: readColumns(typeof columns === 'string' ? columns : null) ?? defaultColumns,
      closed: Array.isArray(closed) ? closed.filter((one) => typeof one === 'string') : [],
    };
  } catch {
    return plainLayout;
  }
}

export function writeLayout(place: LayoutPlace, { columns, closed, grouping }: ListLayout): void {
  try {
    const kept = { grouping, columns: columns.join(), closed: closed.slice(-closedMax) };
    localStorage.setItem(nameOf(place), JSON.stringify(kept));
  } catch {
    // The browser stores nothing.
  }
}

function nameOf({ user, env }: LayoutPlace): string {
  return `loadout list ${JSON.stringify([user, env])}`;
}
