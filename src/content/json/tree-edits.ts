/**
 * Edits of one place of a JSONC text, by its tree: every byte that is not of that value stays, comments and trailing commas
 * included, and what is new is spaced as its neighbours are. Pure; works in a browser.
 */
import { skipBlank } from './jsonc-blank.js';
import { startOf, type TextNode, type TextTree } from './text-tree.js';

/** In the form of CodeMirror: UTF-16 units from `from` up to `to` become `insert`. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** @param changes ascending, without overlaps, as the functions of this module give them */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, insert } of changes) {
    pieces.push(text.slice(at, from), insert);
    at = to;
  }
  return pieces.join('') + text.slice(at);
}

/** @param source JSON, which stands in the text as it is written here */
export function replaceValue(node: TextNode, source: string): TextChange[] {
  return [{ from: node.start, to: node.end, insert: source }];
}

/** One more member, behind the last one. */
export function insertMember(
  tree: TextTree,
  object: TextNode,
  name: string,
  source: string,
): TextChange[] {
  return insertItem(tree, object, object.children.length, `${JSON.stringify(name)}: ${source}`);
}

/** One more element, before the one that has the index now; behind the last one if none has it. */
export function insertElement(
  tree: TextTree,
  array: TextNode,
  index: number,
  source: string,
): TextChange[] {
  return insertItem(tree, array, Math.min(index, array.children.length), source);
}

/** Takes an element to another index; comments between the elements stay where they are. */
export function moveElement(
  tree: TextTree,
  array: TextNode,
  from: number,
  to: number,
): TextChange[] {
  const sources = array.children.map(({ start, end }) => tree.text.slice(start, end));
  const [moved] = sources.splice(from, 1);
  if (moved === undefined) return [];
  sources.splice(to, 0, moved);
  return array.children.flatMap((child, index) =>
    sources[index] === tree.text.slice(child.start, child.end)
      ? []
      : replaceValue(child, sources[index] ?? ''),
  );
}

/** Cuts a member or an element with its comma, and its line if nothing else is on it. Comments beside it stay. */
export function removeChild(tree: TextTree, node: TextNode): TextChange[] {
  const { text } = tree;
  const { parent, index } = node;
  if (parent === null) return [];
  const comma = commaAfter(tree, node);
  const before = parent.children[index - 1];
  if (comma === null && before !== undefined) return removeLast(tree, parent, before, node);
  const isFree = comma === null || isBlank(text, node.end, comma);
  const own = withoutLine(
    text,
    parent,
    startOf(node),
    isFree ? (comma ?? node.end - 1) + 1 : node.end,
  );
  const [from, to] = [parent.start + 1, parent.end - 1];
  if (parent.children.length === 1 && isBlank(text, from, own.from) && isBlank(text, own.to, to)) {
    return [{ from, to, insert: '' }];
  }
  return isFree ? [own] : [own, { from: comma, to: comma + 1, insert: '' }];
}

/** The last child, which no comma follows: the one before it goes along. */
function removeLast(
  tree: TextTree,
  parent: TextNode,
  before: TextNode,
  node: TextNode,
): TextChange[] {
  const { text } = tree;
  const comma = commaAfter(tree, before) ?? before.end;
  if (isBlank(text, comma + 1, startOf(node))) return [{ from: comma, to: node.end, insert: '' }];
  const own = withoutLine(text, parent, startOf(node), node.end);
  return [{ from: comma, to: comma + 1, insert: '' }, own];
}

/** The range with its indentation and line break where it has lines to itself; otherwise with the blanks after it. */
function withoutLine(text: string, parent: TextNode, from: number, to: number): TextChange {
  const line = lineBefore(text, parent, from);
  const end = skipInline(text, to);
  if (line !== null && isBreak(text.charAt(end))) return { from: line, to: end, insert: '' };
  return { from, to: end < parent.end - 1 ? end : to, insert: '' };
}

function insertItem(tree: TextTree, owner: TextNode, index: number, item: string): TextChange[] {
  const { text } = tree;
  const [before, next] = [owner.children[index - 1], owner.children[index]];
  if (before === undefined) {
    return [
      next === undefined ? insertOnly(text, owner, item) : insertFirst(text, owner, next, item),
    ];
  }
  if (next === undefined) return insertLast(tree, owner, before, item);
  return [insertBetween(tree, owner, before, next, item)];
}

/** Into a container without children; comments in it stay before the new one. */
function insertOnly(text: string, owner: TextNode, item: string): TextChange {
  const [from, to] = [owner.start + 1, owner.end - 1];
  const line = lineBefore(text, owner, to);
  if (line === null) {
    const insert = owner.kind === 'object' ? ` ${item} ` : item;
    return { from: isBlank(text, from, to) ? from : to, to, insert };
  }
  // The bracket that closes has its own line; what is inside is one step further in.
  const lead = `${text.slice(line, to)}  `;
  return { from: line, to: line, insert: lead + indented(item, lead) };
}

function insertFirst(text: string, owner: TextNode, next: TextNode, item: string): TextChange {
  const start = startOf(next);
  const lead = leadOf(text, owner, next);
  if (lead === null) return { from: start, to: start, insert: `${item}, ` };
  const at = endOfLine(text, owner.start + 1, start);
  return { from: at, to: at, insert: `${lead}${indented(item, lead)},` };
}

/** Behind the comma of the child before it, and behind a comment on its line. */
function insertBetween(
  tree: TextTree,
  owner: TextNode,
  before: TextNode,
  next: TextNode,
  item: string,
): TextChange {
  const { text } = tree;
  const after = (commaAfter(tree, before) ?? before.end) + 1;
  const lead = leadOf(text, owner, before);
  if (lead === null) {
    const gap = text.slice(after, startOf(next));
    return { from: after, to: after, insert: `${inlineBlank.test(gap) ? gap : ' '}${item},` };
  }
  const at = endOfLine(text, after, startOf(next));
  return { from: at, to: at, insert: `${lead}${indented(item, lead)},` };
}

/** Behind all comments that follow the last child: they stay with it. */
function insertLast(tree: TextTree, owner: TextNode, before: TextNode, item: string): TextChange[] {
  const { text } = tree;
  const comma = commaAfter(tree, before);
  const close = owner.end - 1;
  let at = close;
  while (anyBlank.test(text.charAt(at - 1))) at--;
  const hasComments = at > (comma ?? before.end - 1) + 1;
  const line = hasComments ? lineBefore(text, owner, close) : null;
  // Behind a comment that goes on to the end of its line, only a new line will do.
  const inline = line === null ? ' ' : `${text.slice(line, close)}  `;
  const gap = leadOf(text, owner, before) ?? inline;
  const insert = gap + indented(item, gap);
  if (comma !== null) return [{ from: at, to: at, insert: `${insert},` }];
  if (!hasComments) return [{ from: at, to: at, insert: `,${insert}` }];
  return [
    { from: before.end, to: before.end, insert: ',' },
    { from: at, to: at, insert },
  ];
}

/** The item with its further lines indented as the first one is. */
function indented(item: string, lead: string): string {
  const indent = lead.slice(lead.search(notBreak));
  return isBreak(lead.charAt(0)) ? item.replaceAll('\n', `\n${indent}`) : item;
}

/** The line break and indentation that a child begins with, as one more after it should; null: it shares its line. */
function leadOf(text: string, owner: TextNode, child: TextNode): string | null {
  const line = lineBefore(text, owner, startOf(child));
  return line === null ? null : text.slice(line, startOf(child));
}

/** The offset of the line break before an offset, if only blanks are between; null: something else is. */
function lineBefore(text: string, owner: TextNode, offset: number): number | null {
  let at = offset - 1;
  while (inlineBlank.test(text.charAt(at))) at--;
  if (!isBreak(text.charAt(at)) || at <= owner.start) return null;
  return text.charAt(at) === '\n' && text.charAt(at - 1) === '\r' ? at - 1 : at;
}

/** The end of the line, if only blanks and comments are between; otherwise the offset itself. */
function endOfLine(text: string, offset: number, limit: number): number {
  let at = skipInline(text, offset);
  while (at < limit && !isBreak(text.charAt(at))) {
    comment.lastIndex = at;
    if (!comment.test(text)) return offset;
    at = skipInline(text, comment.lastIndex);
  }
  return at < limit ? at : offset;
}

function skipInline(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && inlineBlank.test(text.charAt(at))) at++;
  return at;
}

/** The offset of the comma behind a child, blanks and comments apart; null: there is none. */
function commaAfter({ text, units }: TextTree, { end }: TextNode): number | null {
  const at = skipBlank(units, end);
  return text.charAt(at) === ',' ? at : null;
}

function isBlank(text: string, from: number, to: number): boolean {
  return blank.test(text.slice(from, to));
}

function isBreak(character: string): boolean {
  return character === '\n' || character === '\r';
}

const blank = /^[ \t\r\n]*$/;
const anyBlank = /^[ \t\r\n]$/;
const inlineBlank = /^[ \t]+$/;
const notBreak = /[^\r\n]|$/;
const comment = /\/\/[^\r\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y;
