/**
 * One budget for the selections that many plans remember, with what their users attached to them (D53). What it holds is
 * bounded in bytes; what is asked for again stays, and what is not goes first (a second chance for each).
 */

import type { Selection } from './selection.js';

/** The table that a remembered selection is found through. */
interface Forgetful {
  /** Called when the budget has let go of a selection. */
  forget(code: number | string): void;
}

/** A selection that a table remembers: its place in the budget. */
export class KeptSelection {
  readonly selection: Selection;
  readonly code: number | string;
  readonly table: Forgetful;
  /** Asked for since the budget last looked. The only thing that a request writes. */
  used = false;
  /** Estimated; what is attached included. */
  bytes: number;
  isReleased = false;
  older: KeptSelection | null = null;
  newer: KeptSelection | null = null;

  constructor(selection: Selection, code: number | string, table: Forgetful) {
    this.selection = selection;
    this.code = code;
    this.table = table;
    this.bytes = selection.bytes + 2 * (typeof code === 'string' ? code.length : 0);
  }
}

/** Marks of selections that were seen once: 4 bytes each, the newer in the older one's place. A power of two. */
const marksCount = 2 ** 17;

export class SelectionBudget {
  readonly bytesMax: number;
  /** Null: every selection is remembered when it is first seen. */
  readonly #marks: Uint32Array | null;
  #bytes = 0;
  #entries = 0;
  #oldest: KeptSelection | null = null;
  #newest: KeptSelection | null = null;
  /** Selections that gave way to others. */
  evictions = 0;

  /**
   * @param onlySeenAgain a selection is remembered when it is seen for the second time; until then it leaves a mark
   *   of fixed size, so that trying one combination of attributes after the other retains nothing
   */
  constructor(bytesMax: number, onlySeenAgain: boolean) {
    this.bytesMax = bytesMax;
    this.#marks = onlySeenAgain ? new Uint32Array(marksCount) : null;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get entries(): number {
    return this.#entries;
  }

  /** Whether a selection with this hash (32 bits) should be remembered; leaves its mark otherwise. */
  isWorthKeeping(hash: number): boolean {
    const marks = this.#marks;
    if (marks === null) return true;
    const at = hash & (marksCount - 1);
    // The lowest bit tells a mark from an empty place; the bits that `at` was taken from need not be compared.
    const mark = (hash | 1) >>> 0;
    if (marks[at] === mark) return true;
    marks[at] = mark;
    return false;
  }

  keep(kept: KeptSelection): void {
    this.#link(kept);
    this.#entries += 1;
    this.#bytes += kept.bytes;
    this.#makeRoom();
  }

  /** Counts what was attached to a selection. */
  grow(kept: KeptSelection, bytes: number): void {
    if (kept.isReleased) return;
    kept.bytes += bytes;
    this.#bytes += bytes;
    this.#makeRoom();
  }

  /** Gives the bytes of a selection back: its plan is replaced. */
  release(kept: KeptSelection): void {
    if (kept.isReleased) return;
    kept.isReleased = true;
    this.#unlink(kept);
    this.#entries -= 1;
    this.#bytes -= kept.bytes;
    kept.selection.forgotten();
  }

  #makeRoom(): void {
    while (this.#bytes > this.bytesMax && this.#oldest !== null) {
      const oldest = this.#oldest;
      if (oldest.used) {
        oldest.used = false;
        this.#unlink(oldest);
        this.#link(oldest);
        continue;
      }
      this.release(oldest);
      this.evictions += 1;
      oldest.table.forget(oldest.code);
    }
  }

  #link(kept: KeptSelection): void {
    kept.older = this.#newest;
    kept.newer = null;
    if (this.#newest === null) this.#oldest = kept;
    else this.#newest.newer = kept;
    this.#newest = kept;
  }

  #unlink(kept: KeptSelection): void {
    const { older, newer } = kept;
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    kept.older = null;
    kept.newer = null;
  }
}
