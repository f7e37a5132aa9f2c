/** Formats JSON in lines and marks what differs from another JSON: by place, with values as they are spelled. */
import { type Node, parseTree } from 'jsonc-parser';

export type Mark = 'added' | 'changed';

export interface PlaceChange {
  /** RFC 6901; empty: the whole. */
  readonly pointer: string;
  readonly change: Mark | 'removed';
  /** Sources; null: it does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface Comparison {
  /** By the value's node in the tree that was compared. */
  readonly marks: ReadonlyMap<Node, Mark>;
  readonly changes: readonly PlaceChange[];
}

export interface ParsedJson {
  readonly text: string;
  readonly root: Node;
}

/** Null: it is not JSON. Comments and trailing commas are skipped. */
export function parseJson(text: string): ParsedJson | null {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? null : { text, root };
}

export function compareJson(before: ParsedJson, after: ParsedJson): Comparison {
  const marks = new Map<Node, Mark>();
  const changes: PlaceChange[] = [];
  const note = (old: Node | undefined, fresh: Node | undefined, pointer: string): void => {
    const change = old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed';
    changes.push({
      pointer,
      change,
      before: old === undefined ? null : sourceOf(before.text, old),
      after: fresh === undefined ? null : sourceOf(after.text, fresh),
    });
    if (fresh !== undefined && change !== 'removed') marks.set(fresh, change);
  };
  const compare = (old: Node | undefined, fresh: Node | undefined, pointer: string): void => {
    if (old?.type === 'object' && fresh?.type === 'object') {
      const [was, is] = [membersOf(old), membersOf(fresh)];
      for (const name of new Set([...is.keys(), ...was.keys()])) {
        compare(was.get(name), is.get(name), `${pointer}/${escapePointer(name)}`);
      }
    } else if (old?.type === 'array' && fresh?.type === 'array') {
      compareElements(old.children ?? [], fresh.children ?? [], pointer);
    } else if (!isSame(old, fresh)) note(old, fresh, pointer);
  };
  /** Equal elements at both ends are skipped, so an inserted element is one change. */
  const compareElements = (old: readonly Node[], fresh: readonly Node[], pointer: string): void => {
    const shorter = Math.min(old.length, fresh.length);
    let head = 0;
    let tail = 0;
    if (old.length !== fresh.length) {
      while (head < shorter && isSame(old[head], fresh[head])) head++;
      while (tail < shorter - head && isSame(old.at(-1 - tail), fresh.at(-1 - tail))) tail++;
    }
    const [was, is] = [old.slice(0, old.length - tail), fresh.slice(0, fresh.length - tail)];
    for (let at = head; at < Math.max(was.length, is.length); at++) {
      compare(was[at], is[at], `${pointer}/${at}`);
    }
  };
  const isSame = (old: Node | undefined, fresh: Node | undefined): boolean => {
    if (old === undefined || fresh === undefined || old.type !== fresh.type) return false;
    if (old.type === 'object') {
      const [was, is] = [membersOf(old), membersOf(fresh)];
      return was.size === is.size && [...is].every(([name, one]) => isSame(was.get(name), one));
    }
    if (old.type === 'array') {
      const [was, is] = [old.children ?? [], fresh.children ?? []];
      return was.length === is.length && is.every((one, index) => isSame(was[index], one));
    }
    // 1.10 and 1.1 are different bytes, and bytes are delivered.
    return sourceOf(before.text, old) === sourceOf(after.text, fresh);
  };
  compare(before.root, after.root, '');
  return { marks, changes };
}

/** The members of an object by name; of a repeated name, the last. */
function membersOf(object: Node): Map<string, Node> {
  const members = new Map<string, Node>();
  for (const { children } of object.children ?? []) {
    const [key, value] = children ?? [];
    if (key !== undefined && value !== undefined) members.set(String(key.value), value);
  }
  return members;
}

function sourceOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

export interface JsonLine {
  readonly text: string;
  /** One for each comparison given. */
  readonly marks: readonly (Mark | null)[];
}

/** @param comparisons of this very tree */
export function printLines(
  { text, root }: ParsedJson,
  comparisons: readonly Comparison[],
): JsonLine[] {
  const lines: JsonLine[] = [];
  const none = comparisons.map(() => null);
  const print = (
    node: Node,
    prefix: string,
    suffix: string,
    indent: string,
    inherited: readonly (Mark | null)[],
  ): void => {
    const marks = comparisons.map(
      (comparison, index) => inherited[index] ?? comparison.marks.get(node) ?? null,
    );
    const children = node.children ?? [];
    const isObject = node.type === 'object';
    if ((!isObject && node.type !== 'array') || children.length === 0) {
      const source = isObject ? '{}' : node.type === 'array' ? '[]' : sourceOf(text, node);
      lines.push({ text: indent + prefix + source + suffix, marks });
      return;
    }
    lines.push({ text: `${indent}${prefix}${isObject ? '{' : '['}`, marks });
    children.forEach((child, index) => {
      const comma = index < children.length - 1 ? ',' : '';
      const [key, value] = isObject ? (child.children ?? []) : [null, child];
      if (value === undefined) return;
      const name = key === null || key === undefined ? '' : `${sourceOf(text, key)}: `;
      print(value, name, comma, `${indent}  `, marks);
    });
    lines.push({ text: `${indent}${isObject ? '}' : ']'}${suffix}`, marks });
  };
  print(root, '', '', '', none);
  return lines;
}
