/** What a cell shows, what its editor begins with, and which source what is typed stands for. Pure. */

import { TextIssue } from '../../../content/json/text-issue.js';
import { parseTextTree, type TextKind, type TextNode } from '../../../content/json/text-tree.js';
import { counted } from '../../parts/counted.js';

/** How a cell is typed: as the characters of a text, or as JSON. */
export type CellForm = 'text' | 'json';

/** The value as people read it: a text without quotes, everything else as it is written. */
export function shownText(text: string, node: TextNode): string {
  switch (node.kind) {
    case 'string':
      return stringOf(text, node);
    case 'object':
      return describeObject(text, node);
    case 'array':
      return counted(node.children.length, 'element');
    default:
      return sourceOf(text, node);
  }
}

/** Such as `lamp-3, 4.90`: the first values of the members, or how many there are. */
function describeObject(text: string, node: TextNode): string {
  const shown: string[] = [];
  for (const child of node.children.slice(0, membersShown)) {
    const isContainer = child.kind === 'object' || child.kind === 'array';
    shown.push(isContainer ? '…' : `${child.name}: ${shownText(text, child)}`);
  }
  if (node.children.length > membersShown) shown.push('…');
  return `{ ${shown.join(', ')} }`;
}

const membersShown = 3;

/** As it is written, comments within it included. */
export function sourceOf(text: string, { start, end }: TextNode): string {
  return text.slice(start, end);
}

/** The characters that a string stands for. */
export function stringOf(text: string, node: TextNode): string {
  return JSON.parse(sourceOf(text, node)) as string;
}

/** A text is typed as it reads; what is not there yet, as its column is. */
export function formOf(node: TextNode | null, column: TextKind): CellForm {
  return (node?.kind ?? column) === 'string' ? 'text' : 'json';
}

/** What the editor of a cell begins with. */
export function editedText(text: string, node: TextNode | null, form: CellForm): string {
  if (node === null) return '';
  if (form === 'text') return node.kind === 'string' ? stringOf(text, node) : sourceOf(text, node);
  return sourceOf(text, node);
}

/** @returns the source that goes into the text, or why what is typed is not a value */
export function typedSource(typed: string, form: CellForm): { source: string } | { issue: string } {
  if (form === 'text') return { source: JSON.stringify(typed) };
  const source = typed.trim();
  if (source === '') return { issue: 'Type a value, such as 4.90, true, null or "text".' };
  const tree = parseTextTree(source);
  if (!(tree instanceof TextIssue)) return { source: sourceOf(source, tree.root) };
  if (word.test(source)) return { issue: `${source} is not a number. Text needs quotes.` };
  return { issue: tree.message };
}

const word = /^[^\s"{[]+$/;
