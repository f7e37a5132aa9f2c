/** The tree of a text that is being typed, and the place of the cursor in it; parsed while no key is pressed. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { TextIssue } from '../../../content/json/text-issue.js';
import {
  nodeAt,
  nodeOf,
  parseTextTree,
  pointerOf,
  startOf,
  type TextNode,
  type TextTree,
} from '../../../content/json/text-tree.js';
import { pointerAt } from '../blame/value-place.js';

export interface TypedTree {
  /** Of the last text that could be read, each line break as one unit; null: none was. */
  readonly tree: TextTree | null;
  /** What is typed now cannot be read. */
  readonly isBroken: boolean;
  /** JSON Pointer of the value at the cursor; null: the cursor was not moved. */
  readonly cursor: string | null;
}

const nothing: TypedTree = { tree: null, isBroken: false, cursor: null };
const longTextUnits = 256 * 1024;
/** Added to the time after which the cursor rests. */
const longAfterMs = 500;
const anyBreak = /\r\n?/g;

/** @param key another text begins where it changes */
export function useTextTree(key: string, text: string) {
  const [typed, setTyped] = useState(nothing);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const first = useRef(text);
  first.current = text;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor says when the same text changes.
  useEffect(() => {
    setTyped(nothing);
    timer.current = setTimeout(() => {
      setTyped((now) => readText(now, first.current.replace(anyBreak, '\n'), null));
    }, 0);
    return () => clearTimeout(timer.current);
  }, [key]);

  const onCursor = useCallback((now: string, offset: number): void => {
    clearTimeout(timer.current);
    const read = (): void => setTyped((known) => readText(known, now, offset));
    timer.current = setTimeout(read, now.length > longTextUnits ? longAfterMs : 0);
  }, []);
  return { typed, onCursor };
}

function readText(known: TypedTree, text: string, offset: number | null): TypedTree {
  const tree = known.tree?.text === text ? known.tree : parseTextTree(text);
  if (tree instanceof TextIssue) {
    const cursor = offset === null ? known.cursor : pointerAt(text, offset);
    return { ...known, isBroken: true, cursor };
  }
  if (offset === null) return { tree, isBroken: false, cursor: known.cursor };
  const node = nodeAt(tree, offset);
  return { tree, isBroken: false, cursor: node === null ? '' : pointerOf(node) };
}

/**
 * What to select of a value: all of a scalar with its key, of others the key; null: it is not there.
 * @param known of a text before; asked where this one cannot be read
 */
export function placeIn(
  text: string,
  known: TextTree | null,
  path: string,
): Pick<TextNode, 'start' | 'end'> | null {
  const read = known?.text === text ? known : parseTextTree(text);
  const tree = read instanceof TextIssue ? known : read;
  const node = tree === null ? null : nodeOf(tree, path);
  if (node === null) return null;
  const start = startOf(node);
  // A key that is pressed must not replace a whole object.
  const isScalar = node.kind !== 'object' && node.kind !== 'array';
  return { start, end: isScalar ? node.end : Math.max(start, node.keyEnd) };
}
