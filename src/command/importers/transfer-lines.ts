/** A conversion as the lines of an import, which the server checks and applies like those of an export. */

import type { ContentLine, SegmentLine } from '../../contract/schemas/transfer-line.js';
import { transferFormat } from '../../contract/transfer-format.js';
import type { Conversion } from './conversion.js';

export function segmentLines({ segments }: Conversion): SegmentLine[] {
  return segments.map((segment) => ({ kind: 'segment', ...segment }));
}

export function contentLines({ contents }: Conversion): ContentLine[] {
  return contents.map(({ id, description, text, mapping }) => ({
    kind: 'content',
    id,
    description,
    tags: [],
    lines: [{ appVersion: '0.0.0', text }],
    mapping,
    schema: null,
    live: true,
  }));
}

/** NDJSON, the same bytes each time. */
export function* transferLines(conversion: Conversion): Generator<Uint8Array> {
  const [segments, contents] = [segmentLines(conversion), contentLines(conversion)];
  yield line({ kind: 'environment', format: transferFormat, id: '' });
  for (const each of [...segments, ...contents]) yield line(each);
  yield line({ kind: 'end', segments: segments.length, contents: contents.length });
}

function line(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
