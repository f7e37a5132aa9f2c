/** Makes rendered bodies, in a pool worker: reads the stored JSON, splices the mutations in, compresses. */
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { indexDocument, type JsonDocument } from '../content/json/document.js';
import { quoteJson } from '../content/json/quote.js';
import { type MutationSource, parseMapping, type Rule } from '../content/mapping/mapping.js';
import { compileMutation, type Mutation, MutationFault } from '../content/mutation/mutation.js';
import { splice } from '../content/mutation/splice.js';
import { mutatedBytesMax } from '../content/mutation/splice-limits.js';
import type { PublishedReader } from '../published/reader.js';
import { gzipBytesMin, parsedBytesMax } from './limits.js';
import {
  Form,
  type RenderedParts,
  type RenderTask,
  wrapperFoot,
  wrapperHead,
} from './render-task.js';

interface Body {
  readonly bytes: Uint8Array;
  readonly missed: readonly number[];
}

const none: readonly number[] = [];
const headBytes = Buffer.from(wrapperHead);

/** A body this close below the threshold may pass it with the caller's tail: both forms are kept. */
const tailBytesLikely = 1024;

export class BodyRenderer {
  readonly #reader: PublishedReader;
  readonly #documents = new LRUCache<string, JsonDocument>({
    maxSize: parsedBytesMax,
    sizeCalculation: (document) => document.bytes.byteLength + document.nodes.byteLength + 256,
  });
  readonly #mutations = new LRUCache<string, MappingMutations>({
    maxSize: parsedBytesMax / 4,
    sizeCalculation: (mutations) => mutations.bytes,
  });

  constructor(reader: PublishedReader) {
    this.#reader = reader;
  }

  /** Null: the body or the mapping is no longer stored (an edit has passed the request). */
  render(task: RenderTask): RenderedParts | null {
    const body = task.mappingDigest === '' ? this.#stored(task) : this.#mutated(task);
    if (body === null) return null;
    const bytes = inForm(task, body.bytes);
    const crc = task.gzip ? crc32(bytes) : 0;
    const deflated = task.gzip ? compress(task.form, bytes) : null;
    const keepBytes = deflated === null || bytes.byteLength < gzipBytesMin + tailBytesLikely;
    return {
      bytes: keepBytes ? bytes : null,
      deflated,
      crc,
      bytesLength: bytes.byteLength,
      missed: body.missed,
    };
  }

  #stored(task: RenderTask): Body | null {
    const bytes = this.#reader.body(task.bodyDigest);
    return bytes === null ? null : { bytes, missed: none };
  }

  #mutated(task: RenderTask): Body | null {
    const document = this.#document(task.bodyDigest);
    const mutations = this.#mutationsOf(task.mappingDigest);
    if (document === null || mutations === null) return null;
    const spliced = splice(document, mutations.chosen(task.choices), mutatedBytesMax);
    const missed: number[] = [];
    for (let at = 0; at < spliced.faults.length; at += 1) {
      if (spliced.faults[at] !== null) missed.push(at);
    }
    return { bytes: spliced.bytes, missed };
  }

  #document(digest: string): JsonDocument | null {
    const known = this.#documents.get(digest);
    if (known !== undefined) return known;
    const bytes = this.#reader.body(digest);
    if (bytes === null) return null;
    const document = indexDocument(bytes);
    this.#documents.set(digest, document);
    return document;
  }

  #mutationsOf(digest: string): MappingMutations | null {
    const known = this.#mutations.get(digest);
    if (known !== undefined) return known;
    const text = this.#reader.body(digest);
    if (text === null) return null;
    const mutations = new MappingMutations(text);
    this.#mutations.set(digest, mutations);
    return mutations;
  }
}

/** The compiled mutations of one mapping, addressed as a selection addresses them. */
class MappingMutations {
  /** Roughly what it holds on to: text, its copies by value, their indexes. */
  readonly bytes: number;
  readonly #rules: readonly Rule[];
  readonly #compiled = new Map<MutationSource, Mutation>();

  constructor(text: Uint8Array) {
    this.bytes = text.byteLength * 8 + 1024;
    const mapping = parseMapping(text);
    if (!mapping.ok) throw new Error('A published mapping does not parse.');
    this.#rules = mapping.rules;
  }

  chosen(choices: readonly number[]): Mutation[] {
    const chosen: Mutation[] = [];
    for (let at = 0; at < choices.length; at += 1) {
      const choice = choices[at] as number;
      const rule = this.#rules[at];
      if (choice < 0 || rule === undefined) continue;
      const source = rule.variants === null ? rule.mutation : rule.variants[choice]?.mutation;
      if (source !== null && source !== undefined) chosen.push(this.#compile(source));
    }
    return chosen;
  }

  #compile(source: MutationSource): Mutation {
    const known = this.#compiled.get(source);
    if (known !== undefined) return known;
    const mutation = compileMutation(source.kind, source.document);
    if (mutation instanceof MutationFault)
      throw new Error('A published mutation does not compile.');
    this.#compiled.set(source, mutation);
    return mutation;
  }
}

/** The bytes that are the same for every caller of this form, in a buffer of their own that can be moved. */
function inForm(task: RenderTask, json: Uint8Array): Uint8Array {
  if (task.form === Form.Plain) return Uint8Array.from(json);
  const data = task.form === Form.Serialized ? quoteJson(json) : json;
  const footBytes = Buffer.from(wrapperFoot(task.hash));
  const bytes = new Uint8Array(headBytes.byteLength + data.byteLength + footBytes.byteLength);
  bytes.set(headBytes, 0);
  bytes.set(data, headBytes.byteLength);
  bytes.set(footBytes, headBytes.byteLength + data.byteLength);
  return bytes;
}

function compress(form: Form, bytes: Uint8Array): Uint8Array {
  const compressed =
    form === Form.Plain
      ? gzipSync(bytes)
      : deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  // zlib hands out views on chunks of 16 KiB and more: an exact copy is what is worth keeping and moving.
  return Uint8Array.from(compressed);
}
