/** Entry point of a pool worker: renders bodies from published.db, and compresses what it is handed. */
import { workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { BodyRenderer } from './delivery/body-renderer.js';
import type { PoolTask, RenderedParts, WorkerOptions } from './delivery/render-task.js';
import { PublishedReader } from './published/reader.js';

const { publishedPath } = workerData as WorkerOptions;
const renderer = new BodyRenderer(new PublishedReader(publishedPath));

/** A reply whose buffers move to the front end instead of being copied. */
class Moved {
  readonly [valueSymbol]: unknown;
  readonly [transferableSymbol]: ArrayBuffer[];

  constructor(value: unknown, buffers: ArrayBuffer[]) {
    this[valueSymbol] = value;
    this[transferableSymbol] = buffers;
  }
}

/** Does one task of the pool; the reply is a RenderReply, or the compressed bytes. */
export function run(task: PoolTask): unknown {
  if (task.type === 'gzip') {
    const bytes = Uint8Array.from(gzipSync(task.bytes));
    return move(new Moved(bytes, [bytes.buffer]) as never);
  }
  const replies: (RenderedParts | null)[] = [];
  const buffers: ArrayBuffer[] = [];
  for (const one of task.tasks) {
    const rendered = renderer.render(one);
    replies.push(rendered);
    if (rendered?.bytes) buffers.push(rendered.bytes.buffer as ArrayBuffer);
    if (rendered?.deflated) buffers.push(rendered.deflated.buffer as ArrayBuffer);
  }
  return move(new Moved(replies, buffers) as never);
}
