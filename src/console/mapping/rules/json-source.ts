/**
 * Changes JSON text in one place and leaves all other bytes alone: a member, an element, or the order of elements.
 * Paths are of names and places; of a repeated name the last one counts, as for the server.
 */
import { type Node, parseTree } from 'jsonc-parser';
import { prettyJson } from '../../parts/code/pretty-json.js';

export type JsonPath = readonly (string | number)[];

export function nodeAt(text: string, path: JsonPath): Node | null {
  return descend(parseTree(text), path);
}

export function descend(from: Node | undefined, path: JsonPath): Node | null {
  let node = from;
  for (const step of path) {
    if (node === undefined) return null;
    node = typeof step === 'number' ? elementOf(node, step) : membersOf(node).get(step)?.value;
  }
  return node ?? null;
}

function elementOf(node: Node, index: number): Node | undefined {
  return node.type === 'array' ? node.children?.[index] : undefined;
}

interface MemberNodes {
  readonly property: Node;
  readonly value: Node;
}

/** The members of an object by name, the last of a repeated one; none of anything else. */
export function membersOf(node: Node): Map<string, MemberNodes> {
  const members = new Map<string, MemberNodes>();
  if (node.type !== 'object') return members;
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key !== undefined && value !== undefined) {
      members.set(String(key.value), { property, value });
    }
  }
  return members;
}

/** The source of a value as a person edits it: without the indentation of the line that it begins in. */
export function shownSource(text: string, path: JsonPath): string | null {
  const node = nodeAt(text, path);
  return node === null ? null : shownNode(text, node);
}

export function shownNode(text: string, node: Node): string {
  const indent = indentAt(text, node.offset);
  const [first = '', ...rest] = sourceOf(text, node).split('\n');
  const lines = rest.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  return [first, ...lines].join('\n');
}

export function sourceOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

/** Puts a value in the place of another; its lines are indented as the place asks. */
export function replaceValue(text: string, path: JsonPath, source: string): string {
  const node = nodeAt(text, path);
  if (node === null) return text;
  return splice(text, node.offset, node.length, indented(source, indentAt(text, node.offset)));
}

/**
 * Gives an object a member, or takes it away (null). A new one is put where `order` has it.
 * @param path of the object
 */
export function setMember(
  text: string,
  path: JsonPath,
  name: string,
  source: string | null,
  order: readonly string[] = [],
): string {
  const object = nodeAt(text, path);
  if (object?.type !== 'object') return text;
  if (source === null) return removeMember(text, object, name);
  if (membersOf(object).has(name)) return replaceValue(text, [...path, name], source);
  return insertMember(text, object, name, source, order);
}

/** All of a repeated name. */
function removeMember(text: string, object: Node, name: string): string {
  const properties = object.children ?? [];
  const index = properties.findLastIndex((property) => property.children?.[0]?.value === name);
  if (index < 0) return text;
  if (properties.length === 1) return splice(text, object.offset, object.length, '{}');
  const changed = cutItem(text, properties, index);
  const rest = nodeAtOffset(changed, object.offset);
  return rest === null ? changed : removeMember(changed, rest, name);
}

/** Cuts an item with the comma that belongs to it, up to the next one or from the one before. */
function cutItem(text: string, items: readonly Node[], index: number): string {
  const [item, before, after] = [items[index], items[index - 1], items[index + 1]];
  if (item === undefined) return text;
  if (after !== undefined) return splice(text, item.offset, after.offset - item.offset, '');
  const start = before === undefined ? item.offset : before.offset + before.length;
  return splice(text, start, item.offset + item.length - start, '');
}

const lineWidth = 100;

function insertMember(
  text: string,
  object: Node,
  name: string,
  source: string,
  order: readonly string[],
): string {
  const properties = object.children ?? [];
  const places = properties.map((property) => order.indexOf(String(property.children?.[0]?.value)));
  const own = order.indexOf(name);
  const at = own < 0 ? places.length : places.findLastIndex((place) => place < own) + 1;
  const changed = insertItem(text, object, at, `${JSON.stringify(name)}: ${source}`);
  // An object on one line that no longer fits is laid out anew; its values keep their spelling.
  const node = nodeAtOffset(changed, object.offset);
  if (node === null) return changed;
  const written = sourceOf(changed, node);
  const wasOneLine = !sourceOf(text, object).includes('\n');
  if (!wasOneLine || (written.length <= lineWidth && !written.includes('\n'))) return changed;
  const indent = indentAt(changed, node.offset);
  return splice(changed, node.offset, node.length, indented(prettyJson(written, 80), indent));
}

/** Of the value that begins there. */
function nodeAtOffset(text: string, offset: number): Node | null {
  let node = parseTree(text);
  while (node !== undefined && (node.offset !== offset || node.type === 'property')) {
    node = node.children?.find(
      (child) => child.offset <= offset && offset < child.offset + child.length,
    );
  }
  return node ?? null;
}

/** Puts an element into an array, before the one that is at `index` now. */
export function insertElement(text: string, path: JsonPath, index: number, source: string): string {
  const array = nodeAt(text, path);
  return array?.type === 'array' ? insertItem(text, array, index, source) : text;
}

export function removeElement(text: string, path: JsonPath, index: number): string {
  const array = nodeAt(text, path);
  if (array?.type !== 'array') return text;
  const elements = array.children ?? [];
  if (elements.length === 1 && index === 0) return splice(text, array.offset, array.length, '[]');
  return cutItem(text, elements, index);
}

/** Takes an element to another place; what stands between the elements stays where it is. */
export function moveElement(text: string, path: JsonPath, from: number, to: number): string {
  const array = nodeAt(text, path);
  const elements = array?.type === 'array' ? (array.children ?? []) : [];
  const sources = elements.map((element) => sourceOf(text, element));
  const [moved] = sources.splice(from, 1);
  if (moved === undefined) return text;
  sources.splice(to, 0, moved);
  let changed = text;
  for (const [index, element] of [...elements.entries()].reverse()) {
    changed = splice(changed, element.offset, element.length, sources[index] ?? '');
  }
  return changed;
}

/** Puts a member or an element between its neighbours, spaced as they are. */
function insertItem(text: string, owner: Node, at: number, item: string): string {
  const items = owner.children ?? [];
  const first = items[0];
  if (first === undefined) {
    const indent = indentAt(text, owner.offset);
    const inside = `\n${indented(item, `${indent}  `, true)}\n${indent}`;
    const [open, close] = owner.type === 'array' ? ['[', ']'] : ['{', '}'];
    const isShort = owner.type === 'object' && !item.includes('\n') && item.length < 60;
    return splice(
      text,
      owner.offset,
      owner.length,
      open + (isShort ? ` ${item} ` : inside) + close,
    );
  }
  const lead = text.slice(owner.offset + 1, first.offset);
  const hasLines = lead.includes('\n');
  const gap = hasLines ? lead : ' ';
  const own = hasLines ? indented(item, lead.slice(lead.lastIndexOf('\n') + 1)) : item;
  const next = items[at];
  if (next !== undefined) return splice(text, next.offset, 0, `${own},${gap}`);
  const last = items.at(-1) ?? first;
  return splice(text, last.offset + last.length, 0, `,${gap}${own}`);
}

/** The white space that the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  let end = text.lastIndexOf('\n', offset - 1) + 1;
  const start = end;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return text.slice(start, end);
}

function indented(source: string, indent: string, alsoFirst = false): string {
  const lines = source.replaceAll('\n', `\n${indent}`);
  return alsoFirst ? indent + lines : lines;
}

function splice(text: string, start: number, length: number, source: string): string {
  return text.slice(0, start) + source + text.slice(start + length);
}
