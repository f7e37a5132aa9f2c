/**
 * A container of a JSONC text as pieces that can be put together in another order, with comments beside what they are about:
 *
 * ```
 *   {  // prices                    open
 *     // until spring               lead of "a", up to its key
 *     "a": 1, // in cents           head (key and colon), value, before, comma, after
 *     "b": 2
 *     // none yet                   end
 *   }
 * ```
 */
import { skipBlank } from '../json/jsonc-blank.js';
import { startOf, type TextNode, type TextTree } from '../json/text-tree.js';
import { commentsOnLine } from './trivia.js';

export interface LayoutItem {
  readonly node: TextNode;
  /** White space and comments before it. */
  readonly lead: string;
  /** Key, colon and what is around the colon; '' in an array. */
  readonly head: string;
  /** Between the value and its comma. */
  readonly before: string;
  /** Comments that end the line. */
  readonly after: string;
}

export interface ContainerLayout {
  /** The bracket, and comments on its line. */
  readonly open: string;
  readonly items: readonly LayoutItem[];
  /** A comma before the closing bracket. */
  readonly comma: string;
  /** White space and comments before the closing bracket. */
  readonly end: string;
}

/** @param node an object or an array of the tree */
export function layoutOf({ text, units }: TextTree, node: TextNode): ContainerLayout {
  const open = text.charAt(node.start) + commentsOnLine(text, node.start + 1);
  const items: LayoutItem[] = [];
  let at = node.start + open.length;
  let comma = '';
  for (const child of node.children) {
    const start = startOf(child);
    const lead = text.slice(at, start);
    const head = text.slice(start, child.start);
    const next = skipBlank(units, child.end);
    comma = text.charAt(next) === ',' ? ',' : '';
    const before = comma === '' ? '' : text.slice(child.end, next);
    const valueEnd = comma === '' ? child.end : next + 1;
    const after = commentsOnLine(text, valueEnd);
    at = valueEnd + after.length;
    items.push({ node: child, lead, head, before, after });
  }
  return { open, items, comma, end: text.slice(at, node.end - 1) };
}
