/** The value of a JSONC text. Pure; works in a browser. */

import { TextIssue } from '../json/text-issue.js';
import { parseTextTree, type TextNode } from '../json/text-tree.js';
import type { PlainValue } from './plain-value.js';

/** Null: the text is not JSONC. */
export function plainOf(text: string): PlainValue | null {
  const value = readPlain(text);
  return value instanceof TextIssue ? null : value;
}

export function readPlain(text: string): PlainValue | TextIssue {
  const tree = parseTextTree(text);
  return tree instanceof TextIssue ? tree : plainNode(text, tree.root);
}

function plainNode(text: string, node: TextNode): PlainValue {
  switch (node.kind) {
    case 'object':
      return {
        kind: 'object',
        members: new Map(node.children.map((child) => [child.name ?? '', plainNode(text, child)])),
      };
    case 'array':
      return { kind: 'array', elements: node.children.map((child) => plainNode(text, child)) };
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: 'scalar', source: text.slice(node.start, node.end) };
  }
}
