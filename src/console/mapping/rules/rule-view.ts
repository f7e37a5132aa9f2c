/** The targeting rules as the console shows them, with the sources of values that are edited as JSON. */
import { type Node, parseTree } from 'jsonc-parser';
import { isJson } from '../../api/raw-json.js';
import { membersOf, shownNode, sourceOf } from './json-source.js';

export type MutationKind = 'merge' | 'patch' | 'replace';

export const mutationKinds: readonly MutationKind[] = ['merge', 'patch', 'replace'];

/** What people call them. */
export const mutationLabels: Readonly<Record<MutationKind, string>> = {
  merge: 'Change some values',
  patch: 'Patch operations',
  replace: 'Replace all',
};

export interface MutationView {
  readonly kind: MutationKind;
  /** As a person edits it. */
  readonly source: string;
}

export interface VariantView {
  readonly name: string;
  /** First and last bucket; null: the value is not a pair of buckets. */
  readonly groups: readonly [number, number] | null;
  /** Null: the rule's is reported. */
  readonly info: string | null;
  readonly mutation: MutationView | null;
  /** Unknown members, which are kept. */
  readonly others: readonly string[];
}

export interface RuleView {
  readonly segment: string;
  /** Source of the rule's own condition; null: the segment of that name decides. */
  readonly when: string | null;
  readonly info: string | null;
  /** As written; null: no bound. */
  readonly from: string | null;
  readonly until: string | null;
  /** Source of it; null: there is none. */
  readonly repeat: string | null;
  /** Null: there is none, or null. */
  readonly salt: string | null;
  /** Name of its layer; null: there is none. */
  readonly layer: string | null;
  /** Null: there is none, or it is not a pair of buckets. */
  readonly slice: readonly [number, number] | null;
  /** Null: as the layer has it. */
  readonly holdout: boolean | null;
  /** Null: no A/B test. 'other': not a list of objects. */
  readonly variants: readonly VariantView[] | 'other' | null;
  readonly mutation: MutationView | null;
  readonly others: readonly string[];
}

const emptyCondition = /^\s*\{\s*\}\s*$/;
const userIdCondition = /^\s*\{\s*"@u"\s*:\s*\{\s*"\$ne"\s*:\s*""\s*\}\s*\}\s*$/;

/** @param when source of a condition; it matches all players */
export function isForAll(when: string): boolean {
  return emptyCondition.test(when);
}

/** The same of all players who have a user id. */
export function isForUsers(when: string): boolean {
  return userIdCondition.test(when);
}

export type MappingView =
  | {
      readonly ok: true;
      readonly rules: readonly (RuleView | null)[];
      readonly sources: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Order of members in rules that the console writes. */
export const ruleOrder = [
  'segment',
  'when',
  'info',
  'from',
  'until',
  'repeat',
  'layer',
  'slice',
  'salt',
  'holdout',
  'variants',
  'merge',
  'patch',
  'replace',
] as const;

export const variantOrder = ['name', 'groups', 'info', 'merge', 'patch', 'replace'] as const;

/** @returns null in the place of an entry that is not an object */
export function readMapping(text: string): MappingView {
  if (!isJson(text)) return { ok: false, reason: 'The targeting rules are not JSON.' };
  const tree = parseTree(text);
  if (tree?.type !== 'array') return { ok: false, reason: 'Targeting must be a list of rules.' };
  const elements = tree.children ?? [];
  return {
    ok: true,
    rules: elements.map((element) => readRule(text, element)),
    sources: elements.map((element) => sourceOf(text, element)),
  };
}

function readRule(text: string, node: Node): RuleView | null {
  if (node.type !== 'object') return null;
  const members = membersOf(node);
  const when = members.get('when')?.value;
  const repeat = members.get('repeat')?.value;
  return {
    segment: stringOf(members.get('segment')?.value) ?? '',
    when: when === undefined ? null : shownNode(text, when),
    info: stringOf(members.get('info')?.value),
    from: stringOf(members.get('from')?.value),
    until: stringOf(members.get('until')?.value),
    repeat: repeat === undefined ? null : shownNode(text, repeat),
    salt: stringOf(members.get('salt')?.value),
    layer: stringOf(members.get('layer')?.value),
    slice: groupsOf(members.get('slice')?.value),
    holdout: booleanOf(members.get('holdout')?.value),
    variants: readVariants(text, members.get('variants')?.value),
    mutation: readMutation(text, node),
    others: [...members.keys()].filter((name) => !ruleNames.has(name)),
  };
}

const ruleNames: ReadonlySet<string> = new Set(ruleOrder);
const variantNames: ReadonlySet<string> = new Set(variantOrder);

function readVariants(text: string, node: Node | undefined): RuleView['variants'] {
  if (node === undefined) return null;
  const elements = node.children ?? [];
  if (node.type !== 'array' || elements.some(({ type }) => type !== 'object')) return 'other';
  return elements.map((element) => {
    const members = membersOf(element);
    return {
      name: stringOf(members.get('name')?.value) ?? '',
      groups: groupsOf(members.get('groups')?.value),
      info: stringOf(members.get('info')?.value),
      mutation: readMutation(text, element),
      others: [...members.keys()].filter((name) => !variantNames.has(name)),
    };
  });
}

function readMutation(text: string, node: Node): MutationView | null {
  const members = membersOf(node);
  for (const kind of mutationKinds) {
    const value = members.get(kind)?.value;
    if (value !== undefined) return { kind, source: shownNode(text, value) };
  }
  return null;
}

function stringOf(node: Node | undefined): string | null {
  return node?.type === 'string' ? String(node.value) : null;
}

function booleanOf(node: Node | undefined): boolean | null {
  return node?.type === 'boolean' ? node.value === true : null;
}

function groupsOf(node: Node | undefined): [number, number] | null {
  const values = node?.type === 'array' ? (node.children ?? []).map(({ value }) => value) : [];
  const [from, to] = values;
  if (values.length !== 2 || !isBucket(from) || !isBucket(to) || from > to) return null;
  return [from, to];
}

function isBucket(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 999;
}
