/**
 * Entry point of a worker of the contender `pooled`: one task resolves one request, from its body to the bytes of its
 * response. It keeps an LRU of parsed contents, as the delivery side's own worker does, and does its work with the
 * same code: selection, splicing, tails, combined responses.
 */
import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { CombinedEntry } from '../../../src/delivery/render/combine.js';
import type { RenderSlot } from '../../../src/delivery/render/render-slot.js';
import type {
  Coding as CodingType,
  RenderedParts,
} from '../../../src/delivery/render/render-task.js';
import { importFrom } from '../../build.js';
import { apiKey } from '../../data/published-game.js';
import {
  codings,
  type PooledReply,
  type PooledTask,
  type PooledWorkerData,
  placeBytes,
  Wanted,
} from './pooled-task.js';

const { root, publishedPath, native, places } = workerData as PooledWorkerData;

type Responses = typeof import('../../../src/delivery/render/responses.js');
type Body = typeof import('../../../src/delivery/render/body-renderer.js');
type Combine = typeof import('../../../src/delivery/render/combine.js');
type Hash = typeof import('../../../src/content/hash.js');
type Index = typeof import('../../../src/delivery/published/published-index.js');
type Limits = typeof import('../../../src/delivery/limits.js');
type Query = typeof import('../../../src/delivery/http/query.js');
type Reader = typeof import('../../../src/published/reader.js');
type Problems = typeof import('../../../src/delivery/problems.js');
type RequestBody = typeof import('../../../src/delivery/http/request-body.js');
type Stored = typeof import('../../../src/delivery/render/stored-bodies.js');
type Task = typeof import('../../../src/delivery/render/render-task.js');
type Work = typeof import('../../../src/delivery/render/document-work.js');

const { responseBytes } = await importFrom<Responses>(root, 'delivery/responses.js');
const { renderBody } = await importFrom<Body>(root, 'delivery/body-renderer.js');
const { combine, combineGzip } = await importFrom<Combine>(root, 'delivery/combine.js');
const { digestOf } = await importFrom<Hash>(root, 'content/hash.js');
const { PublishedIndex } = await importFrom<Index>(root, 'delivery/published-index.js');
const limits = await importFrom<Limits>(root, 'delivery/limits.js');
const { parseCombineQuery } = await importFrom<Query>(root, 'delivery/query.js');
const { PublishedReader } = await importFrom<Reader>(root, 'published/reader.js');
const { Problem } = await importFrom<Problems>(root, 'delivery/problems.js');
const { parseRequestBody, parseUserContext } = await importFrom<RequestBody>(
  root,
  'delivery/request-body.js',
);
const { StoredBodies } = await importFrom<Stored>(root, 'delivery/stored-bodies.js');
const { Coding, Form } = await importFrom<Task>(root, 'delivery/render-task.js');
const { chooseDocumentWork } = await importFrom<Work>(root, 'delivery/document-work.js');

const work = chooseDocumentWork(native);
const stored = new StoredBodies(new PublishedReader(publishedPath), work);
const index = new PublishedIndex(() => new PublishedReader(publishedPath));
await index.catchUp();
const environment = index.key(digestOf(apiKey))?.environment;

/**
 * Compressed bodies, as many bytes as the front end's cache has. The first sketch names an LRU of parsed contents only;
 * without this one each gzip response would be deflated again, and the figures would be of zlib.
 */
const compressed = new LRUCache<string, RenderedParts>({
  maxSize: limits.renderedBytesMax,
  sizeCalculation: ({ packed, raw }) => 256 + (packed?.byteLength ?? 0) + (raw?.byteLength ?? 0),
});

/** Where the entries of a combined response are made, one behind the other. */
const scratch = new Uint8Array(1024 * 1024);
let scratchUsed = 0;

/** Does one task of the pool. */
export function run(task: PooledTask): PooledReply {
  const from = task.place * placeBytes;
  const body = parseRequestBody(new Uint8Array(places, from, task.bodyBytes));
  if (body instanceof Problem) return -400;
  const caller = parseUserContext(body, task.bodyBytes);
  if (caller instanceof Problem) return -400;
  const { coding } = task;
  if (task.wanted === Wanted.Combined) {
    const query = parseCombineQuery(task.target, limits.idsMaxDefault);
    if (query instanceof Problem || !query.dynamic) return -400;
    const nowMs = Date.now();
    const entries: CombinedEntry[] = [];
    scratchUsed = 0;
    for (let at = 0; at < query.ids.length; at += 1) {
      const id = query.ids[at] as string;
      const state = environment?.content(id)?.stateFor(caller) ?? null;
      const slot = state?.slot(caller, Form.Wrapped, coding, nowMs) ?? null;
      if (slot === null) return -404;
      const parts = partsOf(slot, inScratch);
      const name = query.names[at] as Uint8Array;
      entries.push({ name, slot, parts, suffix: slot.suffix(parts.missed) });
    }
    const join = coding === Coding.Gzip ? combineGzip : combine;
    const bytes = join(entries, caller, limits.combineBytesMaxDefault);
    return bytes === null ? -400 : placed(bytes, coding, from);
  }
  const state = environment?.content(task.target)?.stateFor(caller) ?? null;
  const slot = state?.slot(caller, task.wanted, coding, Date.now()) ?? null;
  if (slot === null) return -404;
  const parts = partsOf(slot, (length) =>
    length <= placeBytes ? new Uint8Array(places, from, length) : new Uint8Array(length),
  );
  const response = responseBytes(slot, parts, caller);
  return placed(response.bytes, response.coding, from);
}

/** A body, spliced from the parsed content; a compressed one is made once. */
function partsOf(slot: RenderSlot, allocate: (length: number) => Uint8Array): RenderedParts {
  const isCompressed = slot.coding !== Coding.Identity;
  const known = isCompressed ? compressed.get(slot.key) : undefined;
  if (known !== undefined) return known;
  const document = stored.document(slot.line.digest);
  if (document === null) throw new Error('A published content has no body.');
  const source = slot.mutations.length === 0 ? document.bytes : document;
  if (!isCompressed) return renderBody(work, slot.task, source, slot.mutations, allocate);
  const parts = renderBody(work, slot.task, source, slot.mutations);
  compressed.set(slot.key, parts);
  return parts;
}

function inScratch(length: number): Uint8Array {
  const from = scratchUsed;
  if (from + length > scratch.byteLength) return new Uint8Array(length);
  scratchUsed += length;
  return scratch.subarray(from, scratchUsed);
}

/** The response in its place, where it mostly was made. */
function placed(bytes: Uint8Array, coding: CodingType, from: number): PooledReply {
  const length = bytes.byteLength;
  if (bytes.buffer !== places) {
    if (length > placeBytes) {
      const own = bytes.slice();
      return move(new Moved({ bytes: own, coding }, own.buffer) as never) as unknown as PooledReply;
    }
    new Uint8Array(places, from, length).set(bytes);
  }
  return length * codings + coding;
}

/** A response whose buffer moves to the event loop. */
class Moved {
  readonly [valueSymbol]: PooledReply;
  readonly [transferableSymbol]: ArrayBufferLike;

  constructor(value: PooledReply, buffer: ArrayBufferLike) {
    this[valueSymbol] = value;
    this[transferableSymbol] = buffer;
  }
}
