/** The lines of an export as they arrive. */

import type { TransferLine } from '../../contract/schemas/transfer-line.js';
import { type LineBatch, lineBatches } from '../../management/transfer/reading/line-batches.js';
import { exportBatchBytes, responseBytesMax } from '../terminal/limits.js';
import { formatBytes, Progress } from '../terminal/progress.js';
import { cutOff, received } from './exported-file.js';

/** The lines as they come; fails at the end when the end line did not come: the server broke off. */
export class ExportedLines {
  contents = 0;
  readonly progress = new Progress('Exporting');
  readonly #body: AsyncIterable<Uint8Array> | Iterable<never>;

  constructor(body: AsyncIterable<Uint8Array> | Iterable<never>) {
    this.#body = body;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for await (const { bytes, ends } of this.#batches()) {
      let start = 0;
      for (const end of ends) {
        yield Buffer.concat([bytes.subarray(start, end), lineFeed]);
        start = end;
      }
    }
  }

  async *objects(): AsyncGenerator<TransferLine> {
    for await (const line of this.chunks()) yield JSON.parse(Buffer.from(line).toString());
  }

  async *#batches(): AsyncGenerator<LineBatch> {
    let last = '';
    let bytes = 0;
    const limits = {
      batchBytes: exportBatchBytes,
      lineBytesMax: responseBytesMax,
      streamBytesMax: Number.POSITIVE_INFINITY,
    };
    for await (const batch of lineBatches(received(this.#body), limits)) {
      const { ends } = batch;
      for (const [index, end] of ends.entries()) {
        const head = batch.bytes.subarray(ends[index - 1] ?? 0, end).subarray(0, headBytes);
        last = Buffer.from(head).toString();
        if (last.startsWith(contentHead)) this.contents += 1;
      }
      bytes += batch.bytes.byteLength;
      this.progress.show(`${this.contents} contents, ${formatBytes(bytes)}`);
      yield batch;
    }
    if (!last.startsWith(endHead)) {
      throw cutOff();
    }
  }
}

const lineFeed = Buffer.from('\n');
const contentHead = '{"kind":"content"';
const endHead = '{"kind":"end"';
const headBytes = contentHead.length;
