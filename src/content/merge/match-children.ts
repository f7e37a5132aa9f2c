/**
 * Which members or elements of three texts are the same one.
 *
 * Members are matched by name. Elements are matched by the first of `identityMembers` that every element has, with a scalar
 * value that is unique on each side; others by what they have in common, in order (`alignSequences`): between two elements that
 * are equal, as many replaced by as many are the same ones, edited.
 */

import { alignSequences } from '../align-sequences.js';
import type { TextNode } from '../json/text-tree.js';
import { isContainer, type MergeSource } from './merge-source.js';
import { mapVersions, type Versions } from './versions.js';

/** How the elements of the outermost array are matched: those of a set by their value, rules by segment and occurrence. */
export type ElementsKind = 'any' | 'set' | 'rules';

export interface Side {
  readonly source: MergeSource;
  readonly node: TextNode;
}

/** A key for each child, unique on its side; the same key is the same child. */
export interface MatchedChildren extends Versions<readonly string[]> {
  /** Whether the keys are of the children themselves, and not only of their places. */
  readonly isNamed: boolean;
}

/** In order of preference. */
const identityMembers = ['id', 'key', 'sku', 'path', 'name'];

/** Null: names repeat, so that the members cannot be told apart. */
export function matchMembers(sides: Versions<Side>): MatchedChildren | null {
  return named(mapVersions(sides, ({ node }) => node.children.map(({ name }) => name ?? '')));
}

export function matchElements(sides: Versions<Side>, kind: ElementsKind): MatchedChildren {
  if (kind === 'set') return named(mapVersions(sides, minifiedElements)) ?? matchByPlace(sides);
  if (kind === 'rules') return named(mapVersions(sides, ruleKeys)) ?? matchByPlace(sides);
  for (const member of identityMembers) {
    const identities = named(mapVersions(sides, (side) => identitiesOf(side, member)));
    if (identities !== null) return identities;
  }
  return matchByPlace(sides);
}

/** What tells an element from its neighbours, for people; null: nothing does. */
export function elementName({ source, node }: Side): string | null {
  for (const name of [...identityMembers, 'segment']) {
    const found = scalarMember(node, name);
    if (found !== null) return source.sourceOf(found);
  }
  return null;
}

/** Null unless every side has keys and none of them repeats. */
function named({ base, theirs, mine }: Versions<readonly string[] | null>): MatchedChildren | null {
  if (base === null || theirs === null || mine === null) return null;
  const isUnique = [base, theirs, mine].every((keys) => new Set(keys).size === keys.length);
  return isUnique ? { base, theirs, mine, isNamed: true } : null;
}

function minifiedElements({ source, node }: Side): string[] {
  return node.children.map((child) => source.minifiedOf(child));
}

/** Null: an element has no such member. */
function identitiesOf({ source, node }: Side, member: string): string[] | null {
  const keys: string[] = [];
  for (const element of node.children) {
    const value = scalarMember(element, member);
    if (value === null) return null;
    keys.push(source.sourceOf(value));
  }
  return keys;
}

/** Several rules may be of one segment: the first, the second and so on. */
function ruleKeys(side: Side): string[] | null {
  const seen = new Map<string, number>();
  return (
    identitiesOf(side, 'segment')?.map((segment) => {
      const count = seen.get(segment) ?? 0;
      seen.set(segment, count + 1);
      return `${segment} ${count}`;
    }) ?? null
  );
}

function scalarMember(node: TextNode, name: string): TextNode | null {
  if (node.kind !== 'object') return null;
  const found = node.children.find((child) => child.name === name);
  return found === undefined || isContainer(found) ? null : found;
}

function matchByPlace({ base, theirs, mine }: Versions<Side>): MatchedChildren {
  const before = minifiedElements(base);
  return {
    base: before.map((_, index) => `base ${index}`),
    theirs: placeKeys(before, minifiedElements(theirs), 'theirs'),
    mine: placeKeys(before, minifiedElements(mine), 'mine'),
    isNamed: false,
  };
}

function placeKeys(before: readonly string[], after: readonly string[], side: string): string[] {
  const keys = after.map((_, index) => `${side} ${index}`);
  const partners = alignSequences(before, after);
  let from = 0;
  let to = 0;
  for (let index = 0; index <= before.length; index++) {
    const partner = index < before.length ? (partners[index] as number) : after.length;
    if (partner < 0) continue;
    const isEdited = index - from === partner - to;
    for (let edited = from; isEdited && edited < index; edited++) {
      keys[to + edited - from] = `base ${edited}`;
    }
    if (index < before.length) keys[partner] = `base ${index}`;
    from = index + 1;
    to = partner + 1;
  }
  return keys;
}
