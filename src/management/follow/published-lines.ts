/** What a server's published.db holds, as lines for followers: what changed after a position, everything, one text. */
import type { PublishedCandidate } from '../../published/change.js';
import { writeSettings } from '../../published/environment-settings.js';
import type {
  CandidateRow,
  ContentRow,
  DeliveryRow,
  KeyRow,
  PublishedDelta,
  PublishedReader,
  PublishedSnapshot,
  SegmentRow,
} from '../../published/reader.js';
import { followInlineBytesMax } from '../limits/follow.js';
import type { ChangeLine, DeliveryLine } from './wire.js';

/** Contents that are read in one turn of the event loop. */
const contentsPerTurn = 100;

/** Lets other work have its turn; the read transaction of the caller goes on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What changed, in the order in which it must be applied. To be called within `inSnapshot`. */
export async function linesOfDelta(
  reader: Pick<PublishedReader, 'content' | 'body'>,
  delta: PublishedDelta,
): Promise<ChangeLine[]> {
  const lines: ChangeLine[] = [];
  for (const [environment, row] of delta.environments) {
    // One that was made may have had the name of one that was removed, whose parts nothing names.
    lines.push({ kind: 'environment-removed', environment });
    if (row !== null) lines.push(environmentLine(environment, row.settings));
  }
  for (const [environment, settings] of delta.settings) {
    lines.push(environmentLine(environment, settings));
  }
  for (const [keyHash, row] of delta.keys) {
    lines.push(row === null ? { kind: 'key-removed', keyHash } : keyLine(row));
  }
  for (const [environment, name, row] of delta.segments) {
    lines.push(row === null ? { kind: 'segment-removed', environment, name } : segmentLine(row));
  }
  const contents = await contentLines(reader, delta.contents);
  for (const line of bodyLines(reader, contents)) lines.push(line);
  for (const line of contents) lines.push(line);
  return lines;
}

/** Texts of the first contents, as far as they are short. A follower that has one already is sent it again. */
function bodyLines(
  reader: Pick<PublishedReader, 'body'>,
  contents: readonly ChangeLine[],
): ChangeLine[] {
  const lines: ChangeLine[] = [];
  const seen = new Set<string>();
  let roomBytes = followInlineBytesMax;
  for (const line of contents) {
    if (line.kind !== 'content') continue;
    for (const { digest, bytes } of textsOf(line)) {
      if (seen.has(digest) || bytes > roomBytes) continue;
      seen.add(digest);
      const text = reader.body(digest);
      if (text === null || text.byteLength > roomBytes) continue;
      roomBytes -= text.byteLength;
      lines.push({ kind: 'body', digest, text: Buffer.from(text).toString('utf8') });
    }
    if (roomBytes < followInlineBytesMax / 2) break;
  }
  return lines;
}

/** Of a mapping the length is not known. */
function textsOf({
  lines,
  mappingDigest,
}: DeliveryLine): { readonly digest: string; readonly bytes: number }[] {
  return mappingDigest === '' ? lines : [...lines, { digest: mappingDigest, bytes: 0 }];
}

/** To be called within `inSnapshot`. */
export async function linesOfEverything(
  reader: Pick<PublishedReader, 'content'>,
  { environments, keys, segments, contents }: PublishedSnapshot,
): Promise<ChangeLine[]> {
  return [
    ...environments.map(({ id, settings }) => environmentLine(id, settings)),
    ...keys.map(keyLine),
    ...segments.map(segmentLine),
    ...(await contentLines(reader, contents)),
  ];
}

async function contentLines(
  reader: Pick<PublishedReader, 'content'>,
  names: PublishedSnapshot['contents'],
): Promise<ChangeLine[]> {
  const lines: ChangeLine[] = [];
  for (const [at, [environment, idLower]] of names.entries()) {
    if (at % contentsPerTurn === contentsPerTurn - 1) await turn();
    const row = reader.content(environment, idLower);
    lines.push(
      row === null ? { kind: 'content-removed', environment, id: idLower } : contentLine(row),
    );
  }
  return lines;
}

function environmentLine(
  environment: string,
  settings: Parameters<typeof writeSettings>[0],
): ChangeLine {
  return { kind: 'environment', environment, settings: writeSettings(settings) };
}

function keyLine({ hash: keyHash, environment, expiresAtMs, purpose }: KeyRow): ChangeLine {
  return { kind: 'key', environment, keyHash, expiresAtMs, purpose };
}

function segmentLine({ environment, name, condition, candidate }: SegmentRow): ChangeLine {
  return { kind: 'segment', environment, name, when: condition, candidate };
}

function contentLine({ environment, id, candidate, ...delivery }: ContentRow): ChangeLine {
  return {
    ...{ kind: 'content', environment, id },
    ...deliveryLine(delivery),
    candidate: candidate === null ? null : candidateLine(candidate),
  };
}

function candidateLine({
  content,
  ...ramp
}: CandidateRow): Omit<PublishedCandidate, 'content'> & { content: DeliveryLine | null } {
  const { release, run, salt, permille, step, receipts } = ramp;
  return {
    ...{ release, run, salt, permille, step, receipts },
    content: content === null ? null : deliveryLine(content),
  };
}

function deliveryLine({ lines, mappingDigest, flags }: DeliveryRow): DeliveryLine {
  return {
    lines: lines.map(({ version, digest, hash, bytes }) => ({ version, digest, hash, bytes })),
    mappingDigest,
    flags: [...flags],
  };
}
