/**
 * The targeting rules while they are edited as cards. Each rule has a key that it keeps when it is moved. Typed text
 * that is not JSON yet is kept beside the rules until it is: the other cards stay usable, and the text as a whole is
 * what was typed, so that it can neither be saved unnoticed nor get lost.
 */
import { isJson } from '../../api/raw-json.js';
import {
  insertElement,
  type JsonPath,
  moveElement,
  nodeAt,
  removeElement,
  replaceValue,
} from './json-source.js';
import { type RuleView, readMapping } from './rule-view.js';

export interface BrokenText {
  readonly key: string;
  /** In the rule. */
  readonly path: JsonPath;
  readonly text: string;
}

export interface Cards {
  /** The mapping, with the last value that was JSON where something else is typed now. */
  readonly base: string;
  /** Null: the entry is not an object. */
  readonly rules: readonly (RuleView | null)[];
  readonly sources: readonly string[];
  /** One for each rule. */
  readonly keys: readonly string[];
  readonly broken: readonly BrokenText[];
  /** The mapping as typed. */
  readonly text: string;
}

let keysGiven = 0;

function newKey(): string {
  keysGiven++;
  return `rule-${keysGiven}`;
}

/** Null when the text is not a JSON list. Known rules keep their keys. */
export function openCards(text: string, before: Cards | null): Cards | null {
  const view = readMapping(text);
  if (!view.ok) return null;
  return cardsOf(text, keysFor(view.sources, before), []);
}

function keysFor(sources: readonly string[], before: Cards | null): string[] {
  if (before === null) return sources.map(newKey);
  if (before.sources.length === sources.length) return [...before.keys];
  const known = new Map<string, string[]>();
  for (const [index, source] of before.sources.entries()) {
    known.set(source, [...(known.get(source) ?? []), before.keys[index] ?? newKey()]);
  }
  return sources.map((source) => known.get(source)?.shift() ?? newKey());
}

function cardsOf(base: string, keys: readonly string[], broken: readonly BrokenText[]): Cards {
  const view = readMapping(base);
  const [rules, sources] = view.ok ? [view.rules, view.sources] : [[], []];
  const kept = broken.filter(({ key, path }) => {
    const index = keys.indexOf(key);
    return index >= 0 && nodeAt(base, [index, ...path]) !== null;
  });
  return { base, rules, sources, keys, broken: kept, text: composed(base, keys, kept) };
}

/** The mapping with what is typed and is not JSON in its places. */
function composed(base: string, keys: readonly string[], broken: readonly BrokenText[]): string {
  const places = broken
    .map(({ key, path, text }) => ({ node: nodeAt(base, [keys.indexOf(key), ...path]), text }))
    .sort((one, other) => (other.node?.offset ?? 0) - (one.node?.offset ?? 0));
  let result = base;
  for (const { node, text } of places) {
    if (node === null) continue;
    result = result.slice(0, node.offset) + text + result.slice(node.offset + node.length);
  }
  return result;
}

/** What is typed there and is not JSON; null: the value in the mapping is what is typed. */
export function brokenText(cards: Cards, key: string, path: JsonPath): string | null {
  return cards.broken.find((one) => isAt(one, key, path))?.text ?? null;
}

function isAt(broken: BrokenText, key: string, path: JsonPath): boolean {
  return broken.key === key && broken.path.join('\n') === path.join('\n');
}

/** Sets a value of the rule to what was typed. */
export function typeSource(cards: Cards, key: string, path: JsonPath, text: string): Cards {
  const index = cards.keys.indexOf(key);
  if (index < 0 || nodeAt(cards.base, [index, ...path]) === null) return cards;
  const others = cards.broken.filter((one) => !isAt(one, key, path));
  if (!isJson(text)) return cardsOf(cards.base, cards.keys, [...others, { key, path, text }]);
  return cardsOf(replaceValue(cards.base, [index, ...path], text.trim()), cards.keys, others);
}

/** Changes the mapping at one rule, which stays where it is. */
export function editRule(
  cards: Cards,
  key: string,
  edit: (mapping: string, index: number) => string,
): Cards {
  const index = cards.keys.indexOf(key);
  if (index < 0) return cards;
  return cardsOf(edit(cards.base, index), cards.keys, cards.broken);
}

/** What is typed for later variants goes with them. */
export function removeVariant(cards: Cards, key: string, at: number): Cards {
  const index = cards.keys.indexOf(key);
  if (index < 0) return cards;
  const broken = cards.broken.flatMap((one) => {
    const [list, place, ...rest] = one.path;
    if (one.key !== key || list !== 'variants' || typeof place !== 'number') return [one];
    if (place === at) return [];
    return [place > at ? { ...one, path: [list, place - 1, ...rest] } : one];
  });
  return cardsOf(removeElement(cards.base, [index, 'variants'], at), cards.keys, broken);
}

/** @returns the cards, and the key of the new one */
export function addRule(cards: Cards, index: number, source: string): readonly [Cards, string] {
  const key = newKey();
  const keys = [...cards.keys];
  keys.splice(index, 0, key);
  return [cardsOf(insertElement(cards.base, [], index, source), keys, cards.broken), key];
}

export function removeRule(cards: Cards, key: string): Cards {
  const index = cards.keys.indexOf(key);
  if (index < 0) return cards;
  const keys = cards.keys.filter((one) => one !== key);
  return cardsOf(removeElement(cards.base, [], index), keys, cards.broken);
}

export function moveRule(cards: Cards, from: number, to: number): Cards {
  const keys = [...cards.keys];
  const [moved] = keys.splice(from, 1);
  if (moved === undefined) return cards;
  keys.splice(to, 0, moved);
  return cardsOf(moveElement(cards.base, [], from, to), keys, cards.broken);
}
