/** Reads an import from its stream: workers check the lines, some batches at a time, so memory stays bounded. */
import { createHash } from 'node:crypto';
import { Problem } from '../../../contract/problems.js';
import { mismatchWarnings } from '../../contents/validate/check-state.js';
import { type Work, WorkQueueName, WorkTooLong } from '../../jobs/work.js';
import type { ManagementLimits } from '../../limits/bodies.js';
import {
  importBatchBytes,
  importBatchesAtOnce,
  importBytesMax,
  importLineBytesFree,
  transferLineBytesMax,
} from '../../limits/transfer.js';
import { schemaCheckMsMax } from '../../limits/work.js';
import { type ImportedContent, ImportFile } from '../import-file.js';
import { type LineRoom, lineBatches, StreamTooLarge } from './line-batches.js';
import type { ReadLine } from './read-transfer-lines.js';
import type { ReadState } from './read-transfer-state.js';

export interface ImportSource {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly work: Work;
  readonly limits: ManagementLimits;
  /** A file without its end line is rejected. */
  readonly endRequired: boolean;
  /** Resolves when there is room for the largest line. Rejects: there is none. */
  readonly takeRoom: () => Promise<LineRoom>;
  /** Is given each sound content (and draft) in turn, with its texts, which are let go of afterwards. */
  readonly take: (content: ImportedContent, state: ReadState) => Promise<void>;
}

export interface ReadImport {
  readonly file: ImportFile;
  /** SHA-256 of all its bytes. */
  readonly digest: string;
}

/** The sender or the connection is gone. */
class StreamBrokeOff extends Error {
  readonly code = 'stream_broke_off';

  constructor(cause: unknown) {
    super('The body ended before it was complete.', { cause });
    this.name = 'StreamBrokeOff';
  }
}

interface Batch {
  readonly numbers: readonly number[];
  readonly read: Promise<ReadLine[]>;
  readonly release: () => void;
}

/**
 * Reads to the end even when a line is invalid, so that one response names many issues.
 * @throws WorkFailed, WorkTooLong, StoreUnavailable
 */
export async function readImport(source: ImportSource): Promise<ReadImport | Problem> {
  const { work, limits } = source;
  const file = new ImportFile(source.endRequired);
  const digest = createHash('sha256');
  const { textBytesMax, textLevelsMax } = limits;
  const batches = lineBatches(hashed(source.stream, digest), {
    batchBytes: importBatchBytes,
    lineBytesMax: transferLineBytesMax(limits),
    streamBytesMax: importBytesMax,
    room: { freeBytes: importLineBytesFree, take: source.takeRoom },
  });
  const underWay: Batch[] = [];
  try {
    for await (const { numbers, bytes, ends, release } of batches) {
      // Read on to the end of the stream: a sender cut off midway would not see the response.
      if (file.isHopeless) {
        release();
        continue;
      }
      const read = work.run('readTransferLines', { bytes, ends, textBytesMax, textLevelsMax });
      // Awaited below, in order; a failure before that must not count as unhandled.
      read.catch(() => undefined);
      underWay.push({ numbers, read, release });
      if (underWay.length >= importBatchesAtOnce) await addBatch(source, file, underWay.shift());
    }
    while (underWay.length > 0) await addBatch(source, file, underWay.shift());
  } catch (error) {
    if (error instanceof StreamTooLarge) return new Problem('body_too_large', error.message);
    if (error instanceof StreamBrokeOff) return new Problem('invalid_request', error.message);
    throw error;
  } finally {
    for (const { release } of underWay) release();
  }
  file.finish();
  return { file, digest: digest.digest('hex') };
}

async function* hashed(
  stream: AsyncIterable<Uint8Array>,
  digest: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) {
      digest.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw new StreamBrokeOff(error);
  }
}

async function addBatch(
  source: ImportSource,
  file: ImportFile,
  batch: Batch | undefined,
): Promise<void> {
  if (batch === undefined) return;
  try {
    for (const [index, line] of (await batch.read).entries()) {
      const number = batch.numbers[index] ?? 0;
      const content = file.add(line, number);
      if (content === null || (line.kind !== 'content' && line.kind !== 'draft')) continue;
      await checkSchema(source.work, file, content, line, number);
      if (file.issues.length === 0) await source.take(content, line.state);
    }
  } finally {
    batch.release();
  }
}

/** In a task of its own: a schema whose patterns never end must not take a whole batch with it. */
async function checkSchema(
  work: Work,
  file: ImportFile,
  content: ImportedContent,
  { kind, state }: Extract<ReadLine, { kind: 'content' | 'draft' }>,
  number: number,
): Promise<void> {
  const { schema } = content.about;
  const isLive = kind === 'content' && content.live;
  if (schema === null) return;
  const texts = new Map(state.texts);
  const lines = state.lines.map(({ version, textDigest }) => ({
    version,
    text: texts.get(textDigest) ?? new Uint8Array(),
  }));
  const mapping = state.mapping === null ? null : (texts.get(state.mapping) ?? null);
  try {
    const { problem, mismatch } = await work.run(
      'validateState',
      { lines, mapping, schema, flags: [] },
      { timeMsMax: schemaCheckMsMax, queue: WorkQueueName.Schema },
    );
    const blocking = problem ?? (isLive ? mismatch : null);
    for (const { path, message } of blocking?.errors ?? []) file.reject(number, path, message);
    if (isLive || mismatch === null) return;
    file.warn(number, mismatchWarnings(mismatch));
    if (kind === 'content') content.mismatch = mismatch.errors[0]?.message ?? mismatch.detail;
  } catch (error) {
    if (!(error instanceof WorkTooLong)) throw error;
    file.reject(number, 'schema', `takes longer than ${schemaCheckMsMax / 1000} s to check`);
  }
}
