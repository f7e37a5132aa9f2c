/**
 * What one mutation does at any place of a text: the column of a variant in a grid of places and variants (D107). Pure; works
 * in a browser.
 */
import { changesBetween } from './changes.js';
import {
  applyPlain,
  NotApplicable,
  operate,
  type PlainMutation,
  type PlainOperation,
  readOperations,
} from './plain-mutation.js';
import {
  isWithin,
  type PlainValue,
  plainAt,
  samePlain,
  type Tokens,
  withPlain,
} from './plain-value.js';

export interface Cell {
  /**
   * `base`: the mutation does not touch it. `set`: it has a value because of the mutation. `removed`: the mutation takes it
   * away. `source`: operations that a grid cannot show decide, such as a move.
   */
  readonly state: 'base' | 'set' | 'removed' | 'source';
  /** What is there afterwards; null: nothing. */
  readonly value: PlainValue | null;
}

/** An operation with its path as it is when the operation applies: `-` is the index that it means. */
export interface PlacedOperation {
  /** Its index in the JSON Patch. */
  readonly index: number;
  readonly operation: PlainOperation;
  /**
   * A grid has no cell for it: a move, copy or test, or an element that comes into a list or leaves it before others, which
   * changes what the indexes after it mean.
   */
  readonly isForeign: boolean;
}

export class MutationColumn {
  readonly base: PlainValue;
  readonly mutation: PlainMutation | null;
  /** The text afterwards, or why the mutation cannot be applied: players get the text without it. */
  readonly result: PlainValue | NotApplicable;
  /** Of a JSON Patch, up to the first one that does not apply; of others none. */
  readonly operations: readonly PlacedOperation[];

  /** @param mutation null: a control, which changes nothing */
  constructor(base: PlainValue, mutation: PlainMutation | null) {
    this.base = base;
    this.mutation = mutation;
    this.result = mutation === null ? base : applyPlain(base, mutation);
    this.operations = mutation?.kind === 'patch' ? placedOperations(base, mutation.value) : [];
  }

  get foreign(): readonly PlacedOperation[] {
    return this.operations.filter(({ isForeign }) => isForeign);
  }

  cellAt(tokens: Tokens): Cell {
    const { result } = this;
    if (result instanceof NotApplicable) return { state: 'source', value: null };
    const before = plainAt(this.base, tokens);
    const value = plainAt(result, tokens);
    if (this.foreign.some(({ operation }) => concerns(operation, tokens))) {
      return { state: 'source', value };
    }
    if (samePlain(before, value) && !this.#writes(tokens)) return { state: 'base', value };
    return { state: value === null ? 'removed' : 'set', value };
  }

  /** The places that it writes, as far as a grid can show them; the deepest ones where it merges. */
  places(): Tokens[] {
    const { mutation, base, result } = this;
    if (mutation === null || result instanceof NotApplicable) return [];
    switch (mutation.kind) {
      case 'merge':
        return leavesOf(mutation.value, base, []);
      case 'patch':
        return this.operations
          .filter(({ isForeign }) => !isForeign)
          .map(({ operation }) => operation.path);
      case 'replace':
        return changesBetween(base, result).map(({ op, path }) =>
          op !== 'replace' && plainAt(base, path.slice(0, -1))?.kind === 'array'
            ? path.slice(0, -1)
            : path,
        );
    }
  }

  /** Whether it says something at exactly this place, even what is there anyway. */
  #writes(tokens: Tokens): boolean {
    const { mutation } = this;
    if (mutation === null || mutation.kind === 'replace') return false;
    if (mutation.kind === 'patch') {
      return this.operations.some(({ operation: { path } }) => isWithin(tokens, path));
    }
    let patch: PlainValue = mutation.value;
    for (const token of tokens) {
      if (patch.kind !== 'object') return true;
      const below = patch.members.get(token);
      if (below === undefined) return false;
      patch = below;
    }
    return patch.kind !== 'object';
  }
}

function leavesOf(patch: PlainValue, base: PlainValue | null, path: Tokens): Tokens[] {
  if (patch.kind !== 'object' || base?.kind !== 'object') return [path];
  return Array.from(patch.members).flatMap(([name, below]) =>
    leavesOf(below, base.members.get(name) ?? null, [...path, name]),
  );
}

function placedOperations(base: PlainValue, list: PlainValue): PlacedOperation[] {
  const placed: PlacedOperation[] = [];
  let value = base;
  for (const [index, read] of (readOperations(list) ?? []).entries()) {
    const after = read === null ? null : operate(value, read);
    if (read === null || after === null) break;
    const parent = plainAt(value, read.path.slice(0, -1));
    const length = parent?.kind === 'array' ? parent.elements.length : -1;
    const path =
      length >= 0 && read.path.at(-1) === '-'
        ? [...read.path.slice(0, -1), String(length)]
        : read.path;
    const isForeign = isForeignTo(length, { ...read, path });
    placed.push({ index, operation: { ...read, path }, isForeign });
    value = after;
  }
  return placed;
}

/** @param length of the list that it is for; -1: it is not for an element */
function isForeignTo(length: number, { op, path }: PlainOperation): boolean {
  switch (op) {
    case 'replace':
      return false;
    case 'add':
      return path.length > 0 && length >= 0 && Number(path.at(-1)) < length;
    case 'remove':
      return length >= 0;
    case 'move':
    case 'copy':
    case 'test':
      return true;
  }
}

/** Whether a foreign operation changes what is at a place, or which value the place names. */
function concerns({ op, path, from }: PlainOperation, tokens: Tokens): boolean {
  if (op === 'test') return false;
  return [path, ...(op === 'move' && from !== null ? [from] : [])].some(
    (place) => meets(place, tokens) || isShifted(place, tokens),
  );
}

function meets(a: Tokens, b: Tokens): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

/** Whether the place lies in the list of an element that comes or goes, at its index or behind it. */
function isShifted(element: Tokens, tokens: Tokens): boolean {
  const list = element.slice(0, -1);
  if (!isWithin(tokens, list) || tokens.length === list.length) return false;
  const [changed, own] = [Number(element.at(-1)), Number(tokens[list.length])];
  return Number.isInteger(changed) && Number.isInteger(own) && own >= changed;
}

/** The value with another at a place; objects on the way that are missing are made. Null: a list or a scalar is in the way. */
export function withCreated(
  value: PlainValue,
  tokens: Tokens,
  wanted: PlainValue,
): PlainValue | null {
  for (let depth = 1; depth < tokens.length; depth++) {
    const outer = tokens.slice(0, depth);
    if (plainAt(value, outer) !== null) continue;
    const nested = tokens
      .slice(depth)
      .reduceRight<PlainValue>(
        (inner, token) => ({ kind: 'object', members: new Map([[token, inner]]) }),
        wanted,
      );
    return withPlain(value, outer, nested);
  }
  return withPlain(value, tokens, wanted);
}
