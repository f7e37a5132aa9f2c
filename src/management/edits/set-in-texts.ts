/** Works out the texts of an edit that sets a value: each text once, some at a time, heavy ones by a worker. */
import { Problem } from '../../contract/problems.js';
import { doWork, type Work } from '../jobs/work.js';
import type { ManagementLimits } from '../limits/bodies.js';
import { editTextsBytesMax, importBatchBytes, textsPerStage } from '../limits/transfer.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { SetEdit } from './edit-request.js';
import type { SetText } from './set-values.js';

/** A text that is stored, and its size. */
export interface TextToSet {
  readonly textDigest: string;
  readonly textBytes: number;
}

/** By digest of the text before. */
export type SetTexts = ReadonlyMap<string, SetText>;

export interface SetDeps {
  readonly work: Work;
  readonly limits: ManagementLimits;
}

/**
 * Rejects an edit whose texts together would take too much memory.
 * @throws WorkFailed, WorkTooLong, WorkOverloaded
 */
export async function setInTexts(
  db: Db,
  { work, limits }: SetDeps,
  { path, value, create }: SetEdit,
  texts: Iterable<TextToSet>,
): Promise<SetTexts | Problem> {
  const { textBytesMax: bytesMax, textLevelsMax: levelsMax } = limits;
  const found = new Map<string, SetText>();
  const pace = new EventLoopYielder();
  let totalBytes = 0;
  for (const batch of batchesOf(texts)) {
    const read: Uint8Array[] = [];
    for (const { textDigest } of batch) read.push(await readText(db, textDigest));
    const input = { texts: read, path, value, create, bytesMax, levelsMax };
    const set = await doWork(work, 'setValues', input, weightOf(batch));
    for (const [at, { textDigest }] of batch.entries()) {
      const result = set[at] as SetText;
      found.set(textDigest, result);
      if (result.kind === 'set') totalBytes += result.bytes.byteLength;
    }
    if (totalBytes > editTextsBytesMax) {
      const detail = `The texts that change have more than ${editTextsBytesMax} bytes together: choose fewer items.`;
      return new Problem('limit_reached', detail);
    }
    await pace.step();
  }
  return found;
}

/** Each text once; as many in a batch as travel to a worker together. */
function* batchesOf(texts: Iterable<TextToSet>): Generator<readonly TextToSet[]> {
  const seen = new Set<string>();
  let batch: TextToSet[] = [];
  for (const text of texts) {
    if (seen.has(text.textDigest)) continue;
    seen.add(text.textDigest);
    if (batch.length > 0 && weightOf([...batch, text]) > importBatchBytes) {
      yield batch;
      batch = [];
    }
    batch.push(text);
    if (batch.length === textsPerStage) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function weightOf(batch: readonly TextToSet[]): number {
  return batch.reduce((sum, { textBytes }) => sum + textBytes, 0);
}
