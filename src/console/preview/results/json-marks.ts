/** Lays JSON out in lines and marks what differs from another JSON: by place, with values as they are spelled. */
import { type Node, parseTree } from 'jsonc-parser';

export type Mark = 'added' | 'changed';

export interface PlaceChange {
  /** RFC 6901; empty: the whole. */
  readonly pointer: string;
  readonly change: Mark | 'removed';
  /** Sources; null: not there. */
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

/** Null: it is not JSON. Comments and trailing commas are none of it and are skipped. */
export function parseJson(text: string): ParsedJson | null {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? null : { text, root };
}

export function compareJson(before: ParsedJson, after: ParsedJson): Comparison {
  const marks = new Map<Node, Mark>();
  const changes: PlaceChange[] = [];
  new Comparer(before.text, after.text, marks, changes).compare(before.root, after.root, '');
  return { marks, changes };
}

class Comparer {
  readonly #before: string;
  readonly #after: string;
  readonly #marks: Map<Node, Mark>;
  readonly #changes: PlaceChange[];

  constructor(before: string, after: string, marks: Map<Node, Mark>, changes: PlaceChange[]) {
    this.#before = before;
    this.#after = after;
    this.#marks = marks;
    this.#changes = changes;
  }

  compare(before: Node, after: Node, pointer: string): void {
    if (before.type === 'object' && after.type === 'object') {
      this.#compareMembers(before, after, pointer);
    } else if (before.type === 'array' && after.type === 'array') {
      this.#compareElements(before.children ?? [], after.children ?? [], pointer);
    } else if (!this.#isSame(before, after)) {
      this.#note('changed', before, after, pointer);
    }
  }

  #compareMembers(before: Node, after: Node, pointer: string): void {
    const old = membersOf(before);
    const fresh = membersOf(after);
    for (const [name, value] of fresh) {
      const known = old.get(name);
      const at = `${pointer}/${escapePointer(name)}`;
      if (known === undefined) this.#note('added', null, value, at);
      else this.compare(known, value, at);
    }
    for (const [name, value] of old) {
      if (!fresh.has(name)) {
        this.#note('removed', value, null, `${pointer}/${escapePointer(name)}`);
      }
    }
  }

  /** What is the same at both ends is left alone, so an element put in between is one change. */
  #compareElements(before: readonly Node[], after: readonly Node[], pointer: string): void {
    const shorter = Math.min(before.length, after.length);
    let head = 0;
    let tail = 0;
    if (before.length !== after.length) {
      while (head < shorter && this.#isSame(before[head], after[head])) head++;
      while (tail < shorter - head && this.#isSame(before.at(-1 - tail), after.at(-1 - tail)))
        tail++;
    }
    const oldEnd = before.length - tail;
    const newEnd = after.length - tail;
    for (let at = head; at < Math.max(oldEnd, newEnd); at++) {
      const old = at < oldEnd ? before[at] : undefined;
      const fresh = at < newEnd ? after[at] : undefined;
      if (old !== undefined && fresh !== undefined) this.compare(old, fresh, `${pointer}/${at}`);
      else if (fresh !== undefined) this.#note('added', null, fresh, `${pointer}/${at}`);
      else if (old !== undefined) this.#note('removed', old, null, `${pointer}/${at}`);
    }
  }

  #isSame(before: Node | undefined, after: Node | undefined): boolean {
    if (before === undefined || after === undefined || before.type !== after.type) return false;
    if (before.type === 'object') {
      const old = membersOf(before);
      const fresh = membersOf(after);
      if (old.size !== fresh.size) return false;
      return [...fresh].every(([name, value]) => this.#isSame(old.get(name), value));
    }
    if (before.type === 'array') {
      const old = before.children ?? [];
      const fresh = after.children ?? [];
      return (
        old.length === fresh.length && fresh.every((one, index) => this.#isSame(old[index], one))
      );
    }
    // 1.10 and 1.1 are not the same bytes, and bytes are what is delivered.
    return sourceOf(this.#before, before) === sourceOf(this.#after, after);
  }

  #note(change: PlaceChange['change'], before: Node | null, after: Node | null, pointer: string) {
    this.#changes.push({
      pointer,
      change,
      before: before === null ? null : sourceOf(this.#before, before),
      after: after === null ? null : sourceOf(this.#after, after),
    });
    if (after !== null && change !== 'removed') this.#marks.set(after, change);
  }
}

/** The members of an object by name; the last of a repeated one. */
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
