/** Formats JSON: removes white space, comments and trailing commas, and keeps the spelling of every value. */
import { type Node, parseTree } from 'jsonc-parser';

/**
 * @param width what fits stays on one line; 0: every member and element is on its own line, for a diff
 */
export function prettyJson(text: string, width = 0): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  return tree === undefined ? text : print(text, tree, '', width, 0);
}

/** @param taken columns of the line that are written already, beside the indentation */
function print(text: string, node: Node, indent: string, width: number, taken: number): string {
  if (node.type !== 'object' && node.type !== 'array') return lexeme(text, node);
  const items = node.children ?? [];
  const [open, close] = node.type === 'object' ? ['{', '}'] : ['[', ']'];
  if (items.length === 0) return open + close;
  const line = oneLine(text, node, width - indent.length - taken);
  if (line !== null) return line;
  const inner = `${indent}  `;
  const lines = items.map((item) => {
    const [key, value] = item.type === 'property' ? (item.children ?? []) : [undefined, item];
    if (value === undefined) return '';
    const name = key === undefined ? '' : `${lexeme(text, key)}: `;
    return inner + name + print(text, value, inner, width, name.length);
  });
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** Null when it is longer than `room`. */
function oneLine(text: string, node: Node, room: number): string | null {
  if (room <= 0) return null;
  if (node.type !== 'object' && node.type !== 'array') {
    return node.length > room ? null : lexeme(text, node);
  }
  const parts: string[] = [];
  let left = room - 2;
  for (const item of node.children ?? []) {
    const [key, value] = item.type === 'property' ? (item.children ?? []) : [undefined, item];
    if (value === undefined) continue;
    const name = key === undefined ? '' : `${lexeme(text, key)}: `;
    const inner = oneLine(text, value, left - name.length);
    if (inner === null) return null;
    parts.push(name + inner);
    left -= name.length + inner.length + 2;
    if (left < -2) return null;
  }
  const inside = parts.join(', ');
  if (node.type === 'array') return `[${inside}]`;
  return inside === '' ? '{}' : `{ ${inside} }`;
}

function lexeme(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}
