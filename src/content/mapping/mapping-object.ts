/** Reads one object of a mapping's text, member by member, and keeps account of what is wrong with it. */

import { BRACE_OPEN, BRACKET_OPEN } from '../json/ascii.js';
import {
  type JsonDocument,
  keyStartOf,
  nextOf,
  valueEndOf,
  valueStartOf,
} from '../json/document.js';
import { stringOf, textOf } from '../json/json-text.js';
import { mappingIssuesMax } from './mapping-limits.js';

/** One thing that is wrong with a mapping. */
export interface MappingIssue {
  /** Such as `mapping[2].variants[0].groups`. */
  readonly path: string;
  readonly message: string;
  /** Where the text is not JSON: from 1, the column in UTF-16 units. */
  readonly line?: number;
  readonly column?: number;
}

/** A value of the mapping's text, and where it stands. */
export class MappingValue {
  readonly path: string;
  readonly document: JsonDocument;
  readonly #node: number;
  readonly #issues: MappingIssue[];

  constructor(document: JsonDocument, node: number, path: string, issues: MappingIssue[]) {
    this.document = document;
    this.path = path;
    this.#node = node;
    this.#issues = issues;
  }

  /** Says what is wrong with this value, or with something in it: `inner` is the rest of the path. */
  reject(message: string, inner = ''): void {
    if (this.#issues.length < mappingIssuesMax) {
      this.#issues.push({ path: this.path + inner, message });
    }
  }

  /** The bytes of the value as they stand in the text. */
  get bytes(): Uint8Array {
    const { document } = this;
    return document.bytes.subarray(
      valueStartOf(document, this.#node),
      valueEndOf(document, this.#node),
    );
  }

  /** The value as `JSON.parse` reads it. Not for mutations: it loses spellings. */
  parse(): unknown {
    const { document } = this;
    const start = valueStartOf(document, this.#node);
    return JSON.parse(textOf(document.bytes, start, valueEndOf(document, this.#node)));
  }

  /** The elements, at most `countMax`; null, and an issue, for anything but a list of so many. */
  elements(countMax: number): MappingValue[] | null {
    const nodes = this.#children(BRACKET_OPEN);
    if (nodes === null) {
      this.reject('must be a list');
      return null;
    }
    if (nodes.length > countMax) {
      this.reject(`has ${nodes.length} entries; the limit is ${countMax}`);
      return null;
    }
    return nodes.map((node, index) => this.#inner(node, `[${index}]`));
  }

  /** The members by name, the last of a repeated one; null, and an issue, for anything but an object. */
  members(): Map<string, MappingValue> | null {
    const nodes = this.#children(BRACE_OPEN);
    if (nodes === null) {
      this.reject('must be an object');
      return null;
    }
    const members = new Map<string, MappingValue>();
    const { document } = this;
    for (const node of nodes) {
      // Minified: between the key and its value stands one colon.
      const keyEnd = valueStartOf(document, node) - 1;
      const name = stringOf(document.bytes, keyStartOf(document, node), keyEnd);
      members.set(name, this.#inner(node, `.${name}`));
    }
    return members;
  }

  #inner(node: number, step: string): MappingValue {
    return new MappingValue(this.document, node, this.path + step, this.#issues);
  }

  #children(opener: number): number[] | null {
    const { document } = this;
    if (document.bytes[valueStartOf(document, this.#node)] !== opener) return null;
    const nodes: number[] = [];
    const end = nextOf(document, this.#node);
    for (let node = this.#node + 1; node < end; node = nextOf(document, node)) nodes.push(node);
    return nodes;
  }
}

/** An object of which every member is read by name; the rest are rejected, so that a typo is not ignored. */
export class MappingObject {
  readonly value: MappingValue;
  readonly #members: ReadonlyMap<string, MappingValue>;
  readonly #asked = new Set<string>();

  private constructor(value: MappingValue, members: ReadonlyMap<string, MappingValue>) {
    this.value = value;
    this.#members = members;
  }

  /** Null, and an issue, when the value is no object. */
  static read(value: MappingValue): MappingObject | null {
    const members = value.members();
    return members === null ? null : new MappingObject(value, members);
  }

  member(name: string): MappingValue | null {
    this.#asked.add(name);
    return this.#members.get(name) ?? null;
  }

  /** A name that must be there: 1 to `lengthMax` UTF-16 units. '' after an issue. */
  name(name: string, lengthMax: number): string {
    const member = this.member(name);
    if (member === null) {
      this.value.reject('is missing', `.${name}`);
      return '';
    }
    const text = textWithin(member, lengthMax);
    if (text === '') member.reject('must not be empty');
    return text ?? '';
  }

  /** A text that may be absent. */
  text(name: string, lengthMax: number): string | null {
    const member = this.member(name);
    return member === null ? null : textWithin(member, lengthMax);
  }

  /** True or false, or null where it is absent or (with an issue) something else. */
  flag(name: string): boolean | null {
    const member = this.member(name);
    if (member === null) return null;
    const value = member.parse();
    if (typeof value === 'boolean') return value;
    member.reject('must be true or false');
    return null;
  }

  /** Rejects the members that were not read. Call it last. */
  rejectOthers(): void {
    const known = [...this.#asked].join(', ');
    for (const [name, member] of this.#members) {
      if (!this.#asked.has(name)) member.reject(`is unknown here; the members are ${known}`);
    }
  }
}

function textWithin(member: MappingValue, lengthMax: number): string | null {
  const text = member.parse();
  if (typeof text !== 'string') {
    member.reject('must be a text');
    return null;
  }
  if (text.length > lengthMax) {
    member.reject(`has ${text.length} characters; the limit is ${lengthMax}`);
    return null;
  }
  return text;
}
