/**
 * Edits a mapping by what a variant should get at one place. Only the bytes of that value change, in the form that the change
 * has; where that form cannot say it, the change takes another form, and the result says why (D107). Pure; works in a browser.
 */
import { deriveMutation, mergeBetween, type NotMergeable, operationOf } from './derive-mutation.js';
import { MutationColumn, withCreated } from './mutation-column.js';
import { applyPlain, NotApplicable, type PlainMutation } from './plain-mutation.js';
import { plainOf } from './plain-text.js';
import {
  isWithin,
  type PlainValue,
  plainAt,
  printPlain,
  samePlain,
  type Tokens,
  withPlain,
} from './plain-value.js';
import { insertPlace, removePlace, setPlace } from './set-place.js';

/** Which mutation of a mapping: the rule's own, or that of one of its variants. */
export interface Site {
  readonly rule: number;
  readonly variant: number | null;
}

export type WantedValue =
  /** JSON source, which stands in the mapping as it is written here. */
  | { readonly kind: 'value'; readonly source: string }
  | { readonly kind: 'removed' }
  /** What everybody gets. */
  | { readonly kind: 'base' };

export interface CellEdit extends Site {
  /** What everybody gets, on the version line that the edit is made on. */
  readonly base: PlainValue;
  readonly tokens: Tokens;
  readonly wanted: WantedValue;
  /** Lays out the JSON of a mutation that takes another form. */
  readonly layOut: (source: string) => string;
}

export type CellResult =
  | {
      readonly kind: 'set';
      readonly mapping: string;
      readonly converted: NotMergeable | null;
    }
  | { readonly kind: 'issue'; readonly reason: string };

/** @param mapping JSON without comments */
export function setCell(mapping: string, edit: CellEdit): CellResult {
  const { base, tokens, wanted, layOut } = edit;
  const current = mutationAt(mapping, edit);
  const column = new MutationColumn(base, current);
  const before = column.result;
  if (before instanceof NotApplicable) {
    return issue('the change does not apply to this version; see Source.');
  }
  const { state } = column.cellAt(tokens);
  if (state === wanted.kind) return { kind: 'set', mapping, converted: null };
  if (state === 'source') {
    return issue('operations that only Source shows decide this value.');
  }
  const after = resultWanted(before, base, tokens, wanted);
  if (after === null) return issue('this place does not exist.');
  if (samePlain(before, after) && wanted.kind !== 'base') {
    return { kind: 'set', mapping, converted: null };
  }
  const edited = editInForm(mapping, edit, column);
  if (edited !== null && makes(edited, edit, after)) {
    return { kind: 'set', mapping: edited, converted: null };
  }
  if (column.foreign.length > 0) {
    return issue('its operations cannot be rewritten without losing some; see Source.');
  }
  const { mutation, converted } = deriveMutation(base, after, current);
  const source = layOut(printPlain(mutation.value, true));
  const written = writeMutation(mapping, edit, { kind: mutation.kind, source });
  if (!makes(written, edit, after)) return issue('no change can express this; see Source.');
  return { kind: 'set', mapping: written, converted };
}

function issue(reason: string): CellResult {
  return { kind: 'issue', reason };
}

/** The mutation of a rule or variant; null: there is none, or the mapping is not JSON. */
export function mutationAt(mapping: string, site: Site): PlainMutation | null {
  const whole = plainOf(mapping);
  const owner = whole === null ? null : plainAt(whole, pathOf(site));
  if (owner?.kind !== 'object') return null;
  for (const kind of kinds) {
    const value = owner.members.get(kind);
    if (value !== undefined) return { kind, value };
  }
  return null;
}

const kinds = ['merge', 'patch', 'replace'] as const;

function pathOf({ rule, variant }: Site): Tokens {
  return variant === null ? [String(rule)] : [String(rule), 'variants', String(variant)];
}

/** Puts a mutation in the place of the one that is there, if any. */
export function writeMutation(
  mapping: string,
  site: Site,
  { kind, source }: { readonly kind: PlainMutation['kind']; readonly source: string },
): string {
  const owner = pathOf(site);
  const current = mutationAt(mapping, site);
  if (current?.kind === kind) return setPlace(mapping, [...owner, kind], source) ?? mapping;
  const without = current === null ? mapping : removePlace(mapping, [...owner, current.kind]);
  return insertPlace(without ?? mapping, [...owner, kind], source) ?? mapping;
}

function resultWanted(
  before: PlainValue,
  base: PlainValue,
  tokens: Tokens,
  wanted: WantedValue,
): PlainValue | null {
  const value =
    wanted.kind === 'value'
      ? plainOf(wanted.source)
      : wanted.kind === 'base'
        ? plainAt(base, tokens)
        : null;
  if (value !== null) return withCreated(before, tokens, value);
  if (wanted.kind === 'value' || tokens.length === 0) return null;
  return plainAt(before, tokens) === null ? before : withPlain(before, tokens, null);
}

/** Whether the mapping's change makes exactly this of the base. */
function makes(mapping: string, edit: CellEdit, after: PlainValue): boolean {
  const mutation = mutationAt(mapping, edit);
  const result = mutation === null ? edit.base : applyPlain(edit.base, mutation);
  return !(result instanceof NotApplicable) && samePlain(result, after);
}

/** The mapping with the edit in the form of the mutation that is there; null: it cannot be said in place. */
function editInForm(mapping: string, edit: CellEdit, column: MutationColumn): string | null {
  switch (column.mutation?.kind) {
    case undefined:
      return null;
    case 'merge':
      return editMerge(mapping, edit, column.mutation.value);
    case 'patch':
      return editPatch(mapping, edit, column);
    case 'replace':
      return editReplacement(mapping, edit);
  }
}

function editReplacement(mapping: string, edit: CellEdit): string | null {
  const { base, tokens, wanted } = edit;
  const place = [...pathOf(edit), 'replace', ...tokens];
  if (wanted.kind === 'value') return setPlace(mapping, place, wanted.source);
  const everybodys = wanted.kind === 'base' ? plainAt(base, tokens) : null;
  return everybodys === null
    ? removePlace(mapping, place)
    : setPlace(mapping, place, printPlain(everybodys, true));
}

function editMerge(mapping: string, edit: CellEdit, patch: PlainValue): string | null {
  const { base, tokens, wanted } = edit;
  const root = [...pathOf(edit), 'merge'];
  const place = [...root, ...tokens];
  if (wanted.kind === 'base') return removeMerged(mapping, edit, patch);
  const source = wanted.kind === 'removed' ? 'null' : mergeSource(base, tokens, wanted.source);
  if (source === null) return null;
  // The deepest object of the patch on the way takes what is missing.
  let depth = 0;
  while (depth < tokens.length && plainAt(patch, tokens.slice(0, depth + 1)) !== null) depth++;
  const [name, ...rest] = tokens.slice(depth);
  if (name === undefined) return setPlace(mapping, place, source);
  const nested = rest.reduceRight(
    (inner, token) => `{ ${JSON.stringify(token)}: ${inner} }`,
    source,
  );
  return insertPlace(mapping, [...root, ...tokens.slice(0, depth), name], nested);
}

/** What a merge patch says for a value to become this one; null: it would have to set null. */
function mergeSource(base: PlainValue, tokens: Tokens, source: string): string | null {
  const value = plainOf(source);
  if (value === null) return null;
  const before = plainAt(base, tokens);
  if (value.kind !== 'object' || before?.kind !== 'object') return source;
  const merge = mergeBetween(before, value);
  return merge === null ? null : printPlain(merge, true);
}

/** Objects of the patch that say nothing any more go along, where the text has an object anyway. */
function removeMerged(mapping: string, edit: CellEdit, patch: PlainValue): string | null {
  const { base, tokens } = edit;
  let length = tokens.length;
  while (length > 1) {
    const outer = tokens.slice(0, length - 1);
    const around = plainAt(patch, outer);
    if (around?.kind !== 'object' || around.members.size > 1) break;
    if (plainAt(base, outer)?.kind !== 'object') break;
    length--;
  }
  return removePlace(mapping, [...pathOf(edit), 'merge', ...tokens.slice(0, length)]);
}

function editPatch(mapping: string, edit: CellEdit, column: MutationColumn): string | null {
  const { tokens, wanted } = edit;
  const list = [...pathOf(edit), 'patch'];
  const around = column.operations.findLast(
    ({ operation, isForeign }) => !isForeign && isWithin(tokens, operation.path),
  );
  if (around !== undefined && around.operation.path.length < tokens.length) {
    return editOperand(mapping, edit, around.index, tokens.slice(around.operation.path.length));
  }
  if (wanted.kind === 'base') return removeOperations(mapping, edit, column);
  const isInBase = plainAt(edit.base, tokens) !== null;
  if (around === undefined) {
    return insertPlace(mapping, [...list, '-'], operationSource(edit, isInBase));
  }
  const operation = [...list, String(around.index)];
  if (wanted.kind === 'value' && around.operation.op !== 'remove') {
    return setPlace(mapping, [...operation, 'value'], wanted.source);
  }
  return wanted.kind === 'removed' && !isInBase
    ? removePlace(mapping, operation)
    : setPlace(mapping, operation, operationSource(edit, isInBase));
}

/** An operation that sets or removes what the edit wants. */
function operationSource({ tokens, wanted }: CellEdit, isInBase: boolean): string {
  if (wanted.kind !== 'value') return printPlain(operationOf({ op: 'remove', path: tokens }), true);
  const op = isInBase ? 'replace' : 'add';
  // The value stands as it was typed.
  const shell = printPlain(operationOf({ op, path: tokens, value: standIn }), true);
  return shell.replace(standIn.source, () => wanted.source);
}

const standIn = { kind: 'scalar', source: '"\\u0001 value \\u0001"' } as const;

/** Inside the value of an operation for something around the place. */
function editOperand(mapping: string, edit: CellEdit, index: number, rest: Tokens): string | null {
  const { base, tokens, wanted } = edit;
  const place = [...pathOf(edit), 'patch', String(index), 'value', ...rest];
  if (wanted.kind === 'value') return setPlace(mapping, place, wanted.source);
  const everybodys = wanted.kind === 'base' ? plainAt(base, tokens) : null;
  return everybodys === null
    ? removePlace(mapping, place)
    : setPlace(mapping, place, printPlain(everybodys, true));
}

/** All operations at the place and inside it. */
function removeOperations(mapping: string, edit: CellEdit, column: MutationColumn): string | null {
  const inside = column.operations.filter(({ operation }) => isWithin(operation.path, edit.tokens));
  let changed: string | null = mapping;
  for (const { index } of inside.toReversed()) {
    if (changed === null) return null;
    changed = removePlace(changed, [...pathOf(edit), 'patch', String(index)]);
  }
  return changed;
}
