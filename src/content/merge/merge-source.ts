/** A text that takes part in a merge: its values, compared by their source without white space and comments. */
import type { TextNode, TextTree } from '../json/text-tree.js';

export class MergeSource {
  readonly tree: TextTree;
  /** The whole text without white space and comments. */
  readonly #minified: string;
  /** Where each value stands in it: start and end. */
  readonly #ranges = new Map<TextNode, readonly [number, number]>();

  constructor(tree: TextTree) {
    this.tree = tree;
    const pieces: string[] = [];
    this.#minify(tree.root, 0, pieces);
    this.#minified = pieces.join('');
  }

  /** As written. */
  sourceOf(node: TextNode): string {
    return this.tree.text.slice(node.start, node.end);
  }

  /** Without white space and comments; spellings of numbers and texts as written. */
  minifiedOf(node: TextNode): string {
    const [start, end] = this.#ranges.get(node) ?? [0, 0];
    return this.#minified.slice(start, end);
  }

  /** @returns the offset in the minified text after the value */
  #minify(node: TextNode, start: number, pieces: string[]): number {
    let end = start;
    const add = (piece: string): void => {
      pieces.push(piece);
      end += piece.length;
    };
    if (isContainer(node)) {
      add(this.tree.text.charAt(node.start));
      for (const [index, child] of node.children.entries()) {
        if (index > 0) add(',');
        if (child.keyStart >= 0) add(`${this.tree.text.slice(child.keyStart, child.keyEnd)}:`);
        end = this.#minify(child, end, pieces);
      }
      add(this.tree.text.charAt(node.end - 1));
    } else {
      add(this.sourceOf(node));
    }
    this.#ranges.set(node, [start, end]);
    return end;
  }
}

export function isContainer(node: TextNode): boolean {
  return node.kind === 'object' || node.kind === 'array';
}
