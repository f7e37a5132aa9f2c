/**
 * Merges two edits of one JSONC text by JSON place (D108): a conflict is only where both changed one value. The merged text is
 * the saved one (`theirs`) with the values and comments that `mine` changed since `base`; all other characters stay. Pure, and
 * on strings, because browsers merge.
 */
import { escapeToken } from '../json/pointer-text.js';
import { TextIssue } from '../json/text-issue.js';
import { parseTextTree, type TextNode } from '../json/text-tree.js';
import { type ContainerLayout, type LayoutItem, layoutOf } from './container-layout.js';
import {
  type ElementsKind,
  elementName,
  type MatchedChildren,
  matchElements,
  matchMembers,
} from './match-children.js';
import { isContainer, MergeSource } from './merge-source.js';
import type { MergedItem, MergeNode } from './merge-tree.js';
import { mergedOrder } from './merged-order.js';
import { changedByOne, mapVersions, type Versions } from './versions.js';

export interface JsonMerge {
  readonly tree: MergeNode;
  /** JSON Pointers of arrays into which both inserted at one place: theirs stand first. */
  readonly met: readonly string[];
}

/** @returns null: one of the texts is not JSONC */
export function mergeJson(
  texts: Versions<string>,
  elements: ElementsKind = 'any',
): JsonMerge | null {
  const { base, theirs, mine } = mapVersions(texts, sourceOrNull);
  if (base === null || theirs === null || mine === null) return null;
  const merger = new JsonMerger({ base, theirs, mine }, elements);
  return { tree: merger.document(), met: merger.met };
}

function sourceOrNull(text: string): MergeSource | null {
  const tree = parseTextTree(text);
  return tree instanceof TextIssue ? null : new MergeSource(tree);
}

interface Place {
  readonly pointer: string;
  /** Identity of the innermost element. */
  readonly element: string | null;
}

/** A child on each side that has it. */
type Sides = Versions<LayoutItem | undefined>;

class JsonMerger {
  readonly met: string[] = [];
  readonly #sources: Versions<MergeSource>;
  /** Of the outermost array. */
  readonly #elements: ElementsKind;

  constructor(sources: Versions<MergeSource>, elements: ElementsKind) {
    this.#sources = sources;
    this.#elements = elements;
  }

  /** The value, and what is written around it. */
  document(): MergeNode {
    const roots = mapVersions(this.#sources, ({ tree }) => tree.root);
    const value = this.#value(roots, { pointer: '', element: null });
    const lead = pick(
      mapVersions(this.#sources, ({ tree: { text, root } }) => text.slice(0, root.start)),
    );
    const end = pick(
      mapVersions(this.#sources, ({ tree: { text, root } }) => text.slice(root.end)),
    );
    const item = { lead, head: '', value, before: '', after: '' };
    return { kind: 'container', open: '', items: [item], comma: '', end, close: '' };
  }

  #value(nodes: Versions<TextNode>, place: Place): MergeNode {
    const written = this.#map(nodes, (source, node) => source.sourceOf(node));
    const source = changedByOne(written);
    if (source !== undefined) return { kind: 'source', source };
    const container = this.#container(nodes, place);
    if (container !== null) return container;
    const { base, theirs, mine } = this.#map(nodes, (source, node) => source.minifiedOf(node));
    // One of the sides changed white space and comments only.
    if (mine === base || mine === theirs) return { kind: 'source', source: written.theirs };
    if (theirs === base) return { kind: 'source', source: written.mine };
    return conflictAt(place, written);
  }

  /** Null: the three cannot be merged child by child. */
  #container(nodes: Versions<TextNode>, place: Place): MergeNode | null {
    const { base, theirs, mine } = nodes;
    if (!isContainer(base) || base.kind !== theirs.kind || base.kind !== mine.kind) return null;
    const isArray = base.kind === 'array';
    const matched = this.#match(nodes, place, isArray);
    if (matched === null) return null;
    const order = mergedOrder(matched);
    if (isArray && (order.isTorn || (order.isMet && !matched.isNamed))) return null;
    const layouts = this.#map(nodes, (source, node) => layoutOf(source.tree, node));
    const items = this.#items(layouts, matched, order.keys, place);
    if (items === null) return null;
    if (isArray && order.isMet && !this.#isSet(place)) this.met.push(place.pointer);
    return {
      kind: 'container',
      open: pick(mapVersions(layouts, ({ open }) => open)),
      items,
      comma: pick(mapVersions(layouts, ({ comma }) => comma)),
      end: pick(mapVersions(layouts, ({ end }) => end)),
      close: isArray ? ']' : '}',
    };
  }

  #match(nodes: Versions<TextNode>, place: Place, isArray: boolean): MatchedChildren | null {
    const sides = this.#map(nodes, (source, node) => ({ source, node }));
    if (!isArray) return matchMembers(sides);
    return matchElements(sides, place.pointer === '' ? this.#elements : 'any');
  }

  /** Where the order says nothing. */
  #isSet({ pointer }: Place): boolean {
    return pointer === '' && this.#elements === 'set';
  }

  /** Null: what one side edited is gone on the other, perhaps as part of an edit of what is around it. */
  #items(
    layouts: Versions<ContainerLayout>,
    matched: MatchedChildren,
    order: readonly string[],
    place: Place,
  ): MergedItem[] | null {
    const base = itemsByKey(matched.base, layouts.base);
    const theirs = itemsByKey(matched.theirs, layouts.theirs);
    const mine = itemsByKey(matched.mine, layouts.mine);
    const indexes = indexesOf(matched);
    const items: MergedItem[] = [];
    for (const key of order) {
      const sides = { base: base.get(key), theirs: theirs.get(key), mine: mine.get(key) };
      const item = this.#item(sides, this.#placeOf(sides, indexes.get(key) ?? 0, place));
      if (item === null) continue;
      if (!matched.isNamed && isRemoval(item.value)) return null;
      items.push(item);
    }
    return items;
  }

  /** Null: it is removed. */
  #item(sides: Sides, place: Place): MergedItem | null {
    const { base, theirs, mine } = sides;
    if (base !== undefined && theirs !== undefined && mine !== undefined) {
      return this.#merged({ base, theirs, mine }, place);
    }
    const kept = theirs ?? mine;
    if (kept === undefined) return null;
    const source = theirs === undefined ? this.#sources.mine : this.#sources.theirs;
    const written = this.#mapSides(sides, (side, { node }) => side.sourceOf(node));
    if (base === undefined && (theirs === undefined || mine === undefined)) {
      return { ...kept, value: { kind: 'source', source: source.sourceOf(kept.node) } };
    }
    const value = changedByOne(this.#mapSides(sides, (side, { node }) => side.minifiedOf(node)));
    if (value === undefined) return { ...kept, value: conflictAt(place, written) };
    return value === null
      ? null
      : { ...kept, value: { kind: 'source', source: source.sourceOf(kept.node) } };
  }

  #merged(items: Versions<LayoutItem>, place: Place): MergedItem {
    const nodes = mapVersions(items, ({ node }) => node);
    return {
      lead: pick(mapVersions(items, ({ lead }) => lead)),
      head: pick(mapVersions(items, ({ head }) => head)),
      value: this.#value(nodes, place),
      before: pick(mapVersions(items, ({ before }) => before)),
      after: pick(mapVersions(items, ({ after }) => after)),
    };
  }

  /** Names the child by its place in the saved text, or, where that lacks it, in the typed one. */
  #placeOf({ theirs, mine }: Sides, index: number, { pointer, element }: Place): Place {
    const item = theirs ?? mine;
    if (item === undefined) return { pointer, element };
    const source = theirs === undefined ? this.#sources.mine : this.#sources.theirs;
    const { node } = item;
    const inside = `${pointer}/${escapeToken(node.name ?? String(index))}`;
    const named = node.name === null ? elementName({ source, node }) : null;
    return { pointer: inside, element: named ?? element };
  }

  #map<R>(nodes: Versions<TextNode>, map: (source: MergeSource, node: TextNode) => R): Versions<R> {
    const { base, theirs, mine } = this.#sources;
    return {
      base: map(base, nodes.base),
      theirs: map(theirs, nodes.theirs),
      mine: map(mine, nodes.mine),
    };
  }

  #mapSides(
    sides: Sides,
    map: (source: MergeSource, item: LayoutItem) => string,
  ): Versions<string | null> {
    const { base, theirs, mine } = this.#sources;
    const of = (source: MergeSource, item: LayoutItem | undefined): string | null =>
      item === undefined ? null : map(source, item);
    return {
      base: of(base, sides.base),
      theirs: of(theirs, sides.theirs),
      mine: of(mine, sides.mine),
    };
  }
}

/** What is written between values: where both changed it, the saved one. */
function pick(written: Versions<string>): string {
  return changedByOne(written) ?? written.theirs;
}

function conflictAt({ pointer, element }: Place, written: Versions<string | null>): MergeNode {
  return { kind: 'conflict', conflict: { place: pointer, element, ...written } };
}

function isRemoval(value: MergeNode): boolean {
  if (value.kind !== 'conflict') return false;
  return value.conflict.theirs === null || value.conflict.mine === null;
}

function itemsByKey(keys: readonly string[], { items }: ContainerLayout): Map<string, LayoutItem> {
  return new Map(keys.map((key, index) => [key, items[index] as LayoutItem]));
}

/** Where each child stands in the saved text, or else in the typed one. */
function indexesOf({ theirs, mine }: MatchedChildren): ReadonlyMap<string, number> {
  return new Map([...mine.entries(), ...theirs.entries()].map(([index, key]) => [key, index]));
}
