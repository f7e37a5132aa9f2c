/** Edits of a form as changes of its text: each leaves every byte that is not of its value as it is. Pure. */
import { TextIssue } from '../../../content/json/text-issue.js';
import {
  childOf,
  parseTextTree,
  type TextNode,
  type TextTree,
} from '../../../content/json/text-tree.js';
import {
  applyChanges,
  insertElement,
  insertMember,
  removeChild,
  replaceValue,
} from '../../../content/json/tree-edits.js';
import { sourceOf } from '../table/cell-text.js';
import { unindented } from '../table/table-edits.js';

/** @param source JSON */
export function withValue({ text }: TextTree, node: TextNode, source: string): string {
  return source === sourceOf(text, node)
    ? text
    : applyChanges(text, replaceValue(node, inPlace(text, node, source)));
}

/** The text with one more member behind the others. */
export function withMember(tree: TextTree, object: TextNode, name: string, source: string): string {
  return applyChanges(tree.text, insertMember(tree, object, name, source));
}

/** The text with one more element behind the others. */
export function withElement(tree: TextTree, array: TextNode, source: string): string {
  return applyChanges(tree.text, insertElement(tree, array, array.children.length, source));
}

/** The text without a member or an element. */
export function withoutChild(tree: TextTree, node: TextNode): string {
  return applyChanges(tree.text, removeChild(tree, node));
}

/** An object with members set, each as it is written. */
export function withMembers(source: string, members: ReadonlyMap<string, string>): string {
  let text = source;
  for (const [name, value] of members) {
    const tree = parseTextTree(text);
    if (tree instanceof TextIssue) return text;
    const known = childOf(tree.root, name);
    text =
      known === null ? withMember(tree, tree.root, name, value) : withValue(tree, known, value);
  }
  return text;
}

/** A value as it is edited alone: its further lines begin where its own line does. */
export function sourceAlone(text: string, node: TextNode): string {
  return unindented(text, node);
}

/** The source with its further lines moved in to where the line of the value begins. */
function inPlace(text: string, node: TextNode, source: string): string {
  const line = text.slice(text.lastIndexOf('\n', node.start - 1) + 1, node.start);
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return source.replace(anyBreak, `${lineBreak}${blank.exec(line)?.[0] ?? ''}`);
}

const anyBreak = /\r?\n/g;
const blank = /^[ \t]*/;
