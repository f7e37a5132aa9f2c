/** Which rows of a list are selected: kept beside React, so that a click renders the boxes that change and no row. */
import { useSyncExternalStore } from 'react';

/** Ids of content items. They stay selected while a filter hides them. */
export class RowSelection {
  #ids: ReadonlySet<string> = new Set();
  /** Where a range begins: the row that was selected or left out last. */
  #anchor: string | null = null;
  readonly #listeners = new Set<() => void>();

  /** A new set with each change. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  toggle(id: string): void {
    this.#anchor = id;
    this.set([id], !this.#ids.has(id));
  }

  /** Selects the rows between the last one that was touched and this one, both included. */
  extend(shown: readonly string[], id: string): void {
    const to = shown.indexOf(id);
    const from = this.#anchor === null ? to : shown.indexOf(this.#anchor);
    if (from < 0 || this.#anchor === null) this.#anchor = id;
    const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
    this.set(shown.slice(first, last + 1), true);
  }

  set(ids: readonly string[], isOn: boolean): void {
    const next = new Set(this.#ids);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    this.#change(next);
  }

  clear(): void {
    this.#anchor = null;
    this.#change(new Set());
  }

  /** Leaves out what is not there any more. */
  keep(known: ReadonlySet<string>): void {
    const kept = [...this.#ids].filter((id) => known.has(id));
    if (kept.length < this.#ids.size) this.#change(new Set(kept));
  }

  #change(ids: ReadonlySet<string>): void {
    this.#ids = ids;
    for (const listener of this.#listeners) listener();
  }
}

export function useSelected(selection: RowSelection): ReadonlySet<string> {
  return useSyncExternalStore(selection.subscribe, () => selection.ids);
}

export function useIsSelected(selection: RowSelection, id: string): boolean {
  return useSyncExternalStore(selection.subscribe, () => selection.ids.has(id));
}

export type Share = 'none' | 'some' | 'all';

/** How many of some rows are selected. */
export function shareOf(ids: readonly string[], selected: ReadonlySet<string>): Share {
  const count = ids.reduce((sum, id) => sum + (selected.has(id) ? 1 : 0), 0);
  return count === 0 ? 'none' : count === ids.length ? 'all' : 'some';
}

export function useShare(selection: RowSelection, ids: readonly string[]): Share {
  return useSyncExternalStore(selection.subscribe, () => shareOf(ids, selection.ids));
}
