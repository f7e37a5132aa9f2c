/** New rules, and rules made into others. The mapping goes in and comes out as source. */

import { type BucketRange, isEven, makeEvenRoom, makeRoom } from '../buckets/bucket-ranges.js';
import { insertElement, nodeAt, setMember, shownNode } from './json-source.js';
import {
  isForAll,
  type MutationKind,
  mutationKinds,
  type RuleView,
  ruleOrder,
  variantOrder,
} from './rule-view.js';

const saltRandom = /-[a-z0-9]{6}$/;
const random36 = 'abcdefghijklmnopqrstuvwxyz0123456789';
const notOfSalts = /[^A-Za-z0-9._-]+/g;

/** A salt that no other test has, so that tests assign players independently. */
export function proposeSalt(content: string, rule: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  const random = Array.from(bytes, (byte) => random36[byte % random36.length]).join('');
  return `${saltStem(content, rule)}-${random}`;
}

function saltStem(content: string, rule: string): string {
  const plain = (text: string): string => text.replaceAll(notOfSalts, '-').slice(0, 60);
  return `${plain(content)}-${plain(rule)}`;
}

/**
 * Gives a rule another name. A salt that was proposed for it follows, unless it is saved: a test that players are in
 * keeps its salt under any name.
 */
export function renameRule(
  mapping: string,
  index: number,
  name: string,
  saved: { readonly id: string; readonly mapping: string },
): string {
  const old = nodeAt(mapping, [index, 'segment'])?.value;
  const salt: unknown = nodeAt(mapping, [index, 'salt'])?.value;
  const renamed = setRuleMember(mapping, index, 'segment', JSON.stringify(name));
  if (typeof old !== 'string' || typeof salt !== 'string' || name === '') return renamed;
  const isProposed = salt.replace(saltRandom, '') === saltStem(saved.id, old);
  if (!isProposed || saved.mapping.includes(JSON.stringify(salt))) return renamed;
  const random = saltRandom.exec(salt)?.[0] ?? '';
  const next = JSON.stringify(saltStem(saved.id, name) + random);
  return setRuleMember(renamed, index, 'salt', next);
}

/** `stem`, or with the first number that is free. */
export function freeName(stem: string, taken: readonly string[]): string {
  if (!taken.includes(stem)) return stem;
  for (let number = 2; ; number++) {
    const name = `${stem}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

export function changeSource(name: string): string {
  return `{\n  "segment": ${JSON.stringify(name)},\n  "when": {},\n  "merge": {}\n}`;
}

/** Callers without a user id would all be in one variant: a test leaves them out. */
const withUserId = '{ "@u": { "$ne": "" } }';

export function testSource(name: string, salt: string): string {
  return [
    '{',
    `  "segment": ${JSON.stringify(name)},`,
    `  "when": ${withUserId},`,
    `  "salt": ${JSON.stringify(salt)},`,
    '  "variants": [',
    '    { "name": "control", "groups": [0, 499] },',
    '    { "name": "variant-b", "groups": [500, 999], "merge": {} }',
    '  ]',
    '}',
  ].join('\n');
}

/** A copy with a new name if the name is only a label, and with a new salt if the rule has one. */
export function copyOfRule(
  source: string,
  rule: RuleView,
  content: string,
  taken: readonly string[],
): string {
  const mapping = `[${source}]`;
  const name = rule.when === null ? rule.segment : freeName(`${rule.segment}-copy`, taken);
  let copy = setRuleMember(mapping, 0, 'segment', JSON.stringify(name));
  if (rule.salt !== null) {
    copy = setRuleMember(copy, 0, 'salt', JSON.stringify(proposeSalt(content, name)));
  }
  return copy.slice(1, -1);
}

export function setRuleMember(
  mapping: string,
  index: number,
  name: string,
  source: string | null,
): string {
  return setMember(mapping, [index], name, source, ruleOrder);
}

export function setVariantMember(
  mapping: string,
  index: number,
  variant: number,
  name: string,
  source: string | null,
): string {
  return setMember(mapping, [index, 'variants', variant], name, source, variantOrder);
}

/** Gives a rule (or a variant of it) this mutation instead of any other. */
export function setMutation(
  mapping: string,
  index: number,
  variant: number | null,
  mutation: { readonly kind: MutationKind; readonly source: string } | null,
): string {
  let changed = mapping;
  const set = (name: string, source: string | null): void => {
    changed =
      variant === null
        ? setRuleMember(changed, index, name, source)
        : setVariantMember(changed, index, variant, name, source);
  };
  for (const kind of mutationKinds) if (kind !== mutation?.kind) set(kind, null);
  if (mutation !== null) set(mutation.kind, mutation.source);
  return changed;
}

export function setBuckets(mapping: string, index: number, ranges: readonly BucketRange[]): string {
  let changed = mapping;
  for (const [variant, [from, to]] of ranges.entries()) {
    const node = nodeAt(changed, [index, 'variants', variant, 'groups']);
    const [oldFrom, oldTo] = (node?.children ?? []).map(({ value }) => value);
    if (node !== null && oldFrom === from && oldTo === to) continue;
    changed = setVariantMember(changed, index, variant, 'groups', `[${from}, ${to}]`);
  }
  return changed;
}

/**
 * A test that has not run is split evenly again, unless its shares were set by hand. One that runs keeps its players where
 * they are, as far as there are buckets without a variant.
 * @returns null when no bucket is left
 */
export function addVariant(
  mapping: string,
  index: number,
  rule: RuleView,
  hasRun: boolean,
): string | null {
  if (rule.variants === null || rule.variants === 'other') return null;
  const ranges = rule.variants.flatMap(({ groups }) => (groups === null ? [] : [groups]));
  if (ranges.length < rule.variants.length) return null;
  const isByHand = ranges.length < 2 || !isEven(ranges);
  const room = hasRun || isByHand ? makeRoom(ranges) : makeEvenRoom(ranges);
  if (room === null) return null;
  const name = freeName(
    `variant-${letters[ranges.length] ?? ranges.length + 1}`,
    rule.variants.map((variant) => variant.name),
  );
  const [from, to] = room.added;
  const source = `{ "name": ${JSON.stringify(name)}, "groups": [${from}, ${to}], "merge": {} }`;
  const narrowed = setBuckets(mapping, index, room.ranges);
  return insertElement(narrowed, [index, 'variants'], rule.variants.length, source);
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Half of the players get the text without the rule, the other half get the rule's change. */
export function toTest(mapping: string, index: number, rule: RuleView, salt: string): string {
  const { mutation } = rule;
  const change = mutation === null ? '"merge": {}' : `"${mutation.kind}": ${mutation.source}`;
  const variants = [
    '[',
    '  { "name": "control", "groups": [0, 499] },',
    `  { "name": "variant-b", "groups": [500, 999], ${change.replaceAll('\n', '\n  ')} }`,
    ']',
  ].join('\n');
  const plain = setMutation(mapping, index, null, null);
  // They had the change, and would all be in the control, which has none: leaving them out is the same.
  const ofUsers =
    rule.when !== null && isForAll(rule.when)
      ? setRuleMember(plain, index, 'when', withUserId)
      : plain;
  const salted = setRuleMember(ofUsers, index, 'salt', JSON.stringify(salt));
  return setRuleMember(salted, index, 'variants', variants);
}

/** Ends a test: all its players get what one variant got. */
export function endTest(mapping: string, index: number, variant: number): string {
  const kind = mutationKinds.find(
    (name) => nodeAt(mapping, [index, 'variants', variant, name]) !== null,
  );
  const node = kind === undefined ? null : nodeAt(mapping, [index, 'variants', variant, kind]);
  const source = node === null ? null : shownNode(mapping, node);
  const info = nodeAt(mapping, [index, 'variants', variant, 'info']);
  let plain = setRuleMember(mapping, index, 'variants', null);
  // A rule of a layer goes on taking the players that it had, by the salts that it has.
  if (nodeAt(mapping, [index, 'layer']) === null) plain = setRuleMember(plain, index, 'salt', null);
  if (info !== null) plain = setRuleMember(plain, index, 'info', shownNode(mapping, info));
  if (kind === undefined || source === null) return plain;
  return setRuleMember(plain, index, kind, source);
}
