/**
 * What a mutation makes of a value, for an editor: the semantics of `mutation/`, which delivers, on the values of
 * `plain-value.ts`. A property test holds the two together.
 */

import { tokensOf } from '../json/pointer-text.js';
import { canonicalNumber } from '../mutation/json-number.js';
import type { MutationKind } from '../mutation/mutation.js';
import {
  arrayIndex,
  childOf,
  emptyObject,
  isNull,
  isWithin,
  type PlainValue,
  plainAt,
  type Tokens,
  textOf,
  withPlain,
} from './plain-value.js';

export interface PlainMutation {
  readonly kind: MutationKind;
  /** The value of `merge`, `patch` or `replace`. */
  readonly value: PlainValue;
}

/** An operation of a JSON Patch that has its shape. */
export interface PlainOperation {
  readonly op: 'add' | 'replace' | 'remove' | 'move' | 'copy' | 'test';
  readonly path: Tokens;
  /** Of a move or copy. */
  readonly from: Tokens | null;
  /** Of an add, replace or test. */
  readonly value: PlainValue | null;
}

/** Why a mutation cannot be applied. */
export class NotApplicable {
  readonly reason: string;
  /** Index of the operation; -1: it is not one operation's. */
  readonly operation: number;

  constructor(reason: string, operation = -1) {
    this.reason = reason;
    this.operation = operation;
  }
}

export function applyPlain(base: PlainValue, mutation: PlainMutation): PlainValue | NotApplicable {
  switch (mutation.kind) {
    case 'merge':
      return mergePlain(base, mutation.value);
    case 'replace':
      return mutation.value;
    case 'patch':
      return patchPlain(base, mutation.value);
  }
}

/** RFC 7396. */
export function mergePlain(target: PlainValue | null, patch: PlainValue): PlainValue {
  if (patch.kind !== 'object') return patch;
  const members = new Map(target?.kind === 'object' ? target.members : emptyObject.members);
  for (const [name, below] of patch.members) {
    if (isNull(below)) members.delete(name);
    else members.set(name, mergePlain(members.get(name) ?? null, below));
  }
  return { kind: 'object', members };
}

/** RFC 6902. */
function patchPlain(base: PlainValue, list: PlainValue): PlainValue | NotApplicable {
  const operations = readOperations(list);
  if (operations === null) return new NotApplicable('a patch is a list of operations');
  let value = base;
  for (const [index, operation] of operations.entries()) {
    const result = operation === null ? null : operate(value, operation);
    if (result === null) return new NotApplicable(reasonOf(operation), index);
    value = result;
  }
  return value;
}

function reasonOf(operation: PlainOperation | null): string {
  if (operation === null) return 'it is not an operation';
  if (operation.op === 'test') return 'the value is not the one that test expects';
  return 'the place does not exist';
}

/** Null: it is not a list. An element is null where it has not the shape of an operation. */
export function readOperations(list: PlainValue): (PlainOperation | null)[] | null {
  return list.kind === 'array' ? list.elements.map(readOperation) : null;
}

function readOperation(value: PlainValue): PlainOperation | null {
  const path = tokensOf(textOf(childOf(value, 'path')));
  const op = textOf(childOf(value, 'op'));
  if (path === null) return null;
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      const operand = childOf(value, 'value');
      return operand === null ? null : { op, path, from: null, value: operand };
    }
    case 'remove':
      return path.length === 0 ? null : { op, path, from: null, value: null };
    case 'move':
    case 'copy': {
      const from = tokensOf(textOf(childOf(value, 'from')));
      const isIntoItself =
        op === 'move' && from !== null && isWithin(path, from) && path.length > from.length;
      return from === null || isIntoItself ? null : { op, path, from, value: null };
    }
    default:
      return null;
  }
}

/** Null: it does not apply. */
export function operate(root: PlainValue, operation: PlainOperation): PlainValue | null {
  const { op, path, from, value } = operation;
  switch (op) {
    case 'add':
      return value === null ? null : addPlain(root, path, value);
    case 'replace':
      return plainAt(root, path) === null ? null : withPlain(root, path, value);
    case 'remove':
      return plainAt(root, path) === null ? null : withPlain(root, path, null);
    case 'test': {
      const found = plainAt(root, path);
      return found !== null && value !== null && equalJson(found, value) ? root : null;
    }
    case 'copy': {
      const copied = plainAt(root, from ?? []);
      return copied === null ? null : addPlain(root, path, copied);
    }
    case 'move':
      return movePlain(root, from ?? [], path);
  }
}

function movePlain(root: PlainValue, from: Tokens, path: Tokens): PlainValue | null {
  const moved = plainAt(root, from);
  if (moved === null) return null;
  if (from.length === path.length && isWithin(path, from)) return root;
  const without = withPlain(root, from, null);
  return without === null ? null : addPlain(without, path, moved);
}

function addPlain(root: PlainValue, path: Tokens, value: PlainValue): PlainValue | null {
  const last = path.at(-1);
  if (last === undefined) return value;
  const parentPath = path.slice(0, -1);
  const parent = plainAt(root, parentPath);
  if (parent?.kind === 'object') return withPlain(root, path, value);
  if (parent?.kind !== 'array') return null;
  const index = indexToAdd(parent.elements.length, last);
  if (index === null) return null;
  return withPlain(root, parentPath, {
    kind: 'array',
    elements: parent.elements.toSpliced(index, 0, value),
  });
}

function indexToAdd(length: number, token: string): number | null {
  if (token === '-') return length;
  if (!arrayIndex.test(token)) return null;
  return Number(token) <= length ? Number(token) : null;
}

/** As a `test` compares: numbers as exact decimals, strings unescaped, members in any order. */
function equalJson(a: PlainValue, b: PlainValue): boolean {
  if (a.kind === 'scalar' || b.kind === 'scalar') {
    return (
      a.kind === 'scalar' && b.kind === 'scalar' && comparable(a.source) === comparable(b.source)
    );
  }
  if (a.kind === 'array') {
    return (
      b.kind === 'array' &&
      a.elements.length === b.elements.length &&
      a.elements.every((element, index) => equalJson(element, b.elements[index] as PlainValue))
    );
  }
  if (b.kind !== 'object' || a.members.size !== b.members.size) return false;
  return Array.from(a.members).every(([name, member]) => {
    const other = b.members.get(name);
    return other !== undefined && equalJson(member, other);
  });
}

function comparable(source: string): string {
  if (source.startsWith('"')) return `"${String(JSON.parse(source))}`;
  return numberStart.test(source) ? canonicalNumber(source) : source;
}

const numberStart = /^[-0-9]/;
