/** What a client of refresh and stream holds, and what must be true of each page that it is sent. */
import { crc32 } from 'node:zlib';
import { rawMembers } from '../../../src/management/http/body/raw-members.js';

/** A content item as the client keeps it. */
export interface Held {
  readonly tag: string;
  /** The entry as the single wrapped response has it, so without `tag` and `crc`. */
  readonly wrapped: string;
  readonly data: string;
  readonly hash: string;
  readonly seg: string;
}

export interface Page {
  readonly sequence: number;
  /** Ids of the entries. */
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** Those of `gone` that were not held. */
  readonly goneInVain: readonly string[];
  readonly more: boolean;
  /** ISO 8601; null: the clock alone changes nothing. */
  readonly changesAt: string | null;
}

/** Is called with each thing that a client may not see. */
export type Say = (what: string) => void;

export class HeldContents {
  #held: Map<string, Held> = new Map();

  get ids(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** The member `have` of a request. */
  get have(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#held].map(([id, { tag }]) => [id, tag]));
  }

  /** Data and rules of what is held; null: it is not held. */
  answer(id: string): string | null {
    const held = this.#held.get(id);
    return held === undefined ? null : answerOf(held.wrapped);
  }

  /** Holds what another client holds, instead. */
  takeFrom(other: HeldContents): void {
    this.#held = new Map(other.#held);
  }

  /**
   * Adds a page, which may hold nothing that was held already.
   * @param serialized whether each `data` is a string of JSON
   */
  add(json: Uint8Array, say: Say, serialized = false): Page {
    const { sequence, gone, more, changesAt } = JSON.parse(Buffer.from(json).toString());
    const entries = rawMembers(rawMembers(json).get('contents') ?? nothing);
    const goneInVain = gone.filter((id: string) => !this.#held.delete(id));
    for (const [id, entry] of entries) this.#addEntry(id, entry, serialized, say);
    return { sequence, changed: [...entries.keys()], gone, goneInVain, more, changesAt };
  }

  /**
   * Compares what is held with single wrapped responses, by id. What a kept entry says of hash and ids may be older than
   * theirs.
   */
  compare(singles: ReadonlyMap<string, string>, say: Say): void {
    for (const [id, single] of singles) {
      const held = this.#held.get(id)?.wrapped ?? 'nothing';
      if (answerOf(held) !== answerOf(single)) {
        say(`holds ${held} of ${id}, where the single response is ${single}`);
      }
    }
    const there = [...singles.keys()];
    if (there.length !== this.#held.size) say(`holds ${this.ids}, where ${there} are there`);
  }

  #addEntry(id: string, entry: Uint8Array, serialized: boolean, say: Say): void {
    const fields = rawMembers(entry);
    const text = (name: string): string => Buffer.from(fields.get(name) ?? nothing).toString();
    const data: string = serialized ? JSON.parse(text('data')) : text('data');
    const [hash, meta] = [text('hash'), text('meta')];
    const tag = JSON.parse(text('tag'));
    const seg = JSON.stringify(JSON.parse(meta).seg);
    if (JSON.parse(text('crc')) !== crc32(data).toString(16).padStart(8, '0')) {
      say(`the crc of ${id} is not that of ${data}`);
    }
    const before = this.#held.get(id);
    if (before?.tag === tag) say(`${id} was sent, and held with this very tag`);
    if (before?.hash === hash && before.data === data && before.seg === seg) {
      say(`${id} was sent again as it was: ${data}`);
    }
    const wrapped = `{"data":${data},"hash":${hash},"meta":${meta}}`;
    this.#held.set(id, { tag, wrapped, data, hash, seg });
  }
}

const nothing = Buffer.alloc(0);

/** Data and rules of a wrapped response: what a tag stands for. */
export function answerOf(wrapped: string): string {
  return wrapped.replace(/,"hash":"[0-9a-f]{16}","meta":\{"uid":\d+,"mod":\d+,/, ',').trim();
}
