/** Makes changes for published.db of a parent's lines: the texts that they name are this server's own, or asked for. */
import { digestOf } from '../../content/hash.js';
import type { PublishedChange, PublishedDelivery } from '../../published/change.js';
import { readSettings, writeSettings } from '../../published/environment-settings.js';
import { followBodiesBytesMax, followBodiesMax } from '../limits/follow.js';
import { StoreUnavailable } from '../store/store-errors.js';
import type { ChangeLine, DeliveryLine } from './wire.js';

type Bodies = ReadonlyMap<string, Uint8Array>;

export interface Texts {
  /** What this server has under a digest; null: it has to be asked for. */
  readonly own: (digest: string) => Uint8Array | null;
  /** Asks the parent. What it has not got is left out. */
  readonly ask: (digests: readonly string[]) => Promise<Map<string, Uint8Array>>;
}

/** Lines that are made into changes together, so that one request asks for their texts. */
interface Batch {
  readonly lines: ChangeLine[];
  readonly bodies: Map<string, Uint8Array>;
  readonly missing: Set<string>;
  bytes: number;
}

const newBatch = (): Batch => ({ lines: [], bodies: new Map(), missing: new Set(), bytes: 0 });

/** @throws StoreUnavailable when the parent has not got a text any more, or sends what this version does not know */
export async function* changesOf(
  lines: AsyncIterable<ChangeLine>,
  texts: Texts,
): AsyncGenerator<PublishedChange> {
  /** Those that came along. */
  const sent = new Map<string, Uint8Array>();
  const known: Texts = { ...texts, own: (digest) => sent.get(digest) ?? texts.own(digest) };
  let batch = newBatch();
  for await (const line of lines) {
    if (line.kind === 'body') {
      sent.set(line.digest, sound(line.digest, Buffer.from(line.text)));
      continue;
    }
    addTo(batch, line, known);
    if (batch.lines.length < followBodiesMax && batch.bytes < followBodiesBytesMax) continue;
    yield* batchChanges(batch, texts);
    batch = newBatch();
  }
  yield* batchChanges(batch, texts);
}

function addTo(batch: Batch, line: ChangeLine, { own }: Texts): void {
  batch.lines.push(line);
  if (line.kind !== 'content') return;
  for (const delivery of [line, line.candidate?.content ?? null]) {
    if (delivery === null) continue;
    for (const [digest, bytes] of textsOf(delivery)) {
      if (batch.bodies.has(digest) || batch.missing.has(digest)) continue;
      const kept = own(digest);
      batch.bytes += kept?.byteLength ?? bytes;
      if (kept === null) batch.missing.add(digest);
      else batch.bodies.set(digest, kept);
    }
  }
}

/** Digests of texts, with their lengths where they are known. */
function textsOf({ lines, mappingDigest }: DeliveryLine): [digest: string, bytes: number][] {
  const texts = lines.map(({ digest, bytes }): [string, number] => [digest, bytes]);
  return mappingDigest === '' ? texts : [...texts, [mappingDigest, 0]];
}

async function* batchChanges(batch: Batch, { ask }: Texts): AsyncGenerator<PublishedChange> {
  const missing = [...batch.missing];
  for (let at = 0; at < missing.length; at += followBodiesMax) {
    const asked = missing.slice(at, at + followBodiesMax);
    const found = await ask(asked);
    for (const digest of asked) {
      batch.bodies.set(digest, sound(digest, found.get(digest)));
    }
  }
  for (const line of batch.lines) yield changeOf(line, batch.bodies);
}

/** An edit may have removed it meanwhile; the next try is about that one. */
function sound(digest: string, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes !== undefined && digestOf(bytes) === digest) return bytes;
  throw new StoreUnavailable(null, 'The parent has not got a text that it named.');
}

function changeOf(line: ChangeLine, bodies: Bodies): PublishedChange {
  switch (line.kind) {
    case 'environment':
      return { ...line, settings: settingsOf(line.settings) };
    case 'content': {
      const { kind, environment, id, candidate } = line;
      return {
        ...{ kind, environment, id },
        ...deliveryOf(line, bodies),
        candidate: candidate && {
          ...candidate,
          content: candidate.content && deliveryOf(candidate.content, bodies),
        },
      };
    }
    case 'body':
    case 'end':
      throw new StoreUnavailable(null, 'The parent says more after its end.');
    default:
      return line;
  }
}

/** What is written again must be what was read: a member that this version does not know would be lost. */
function settingsOf(text: string): ReturnType<typeof readSettings> {
  const settings = readSettings(text);
  if (writeSettings(settings) !== text) {
    throw new StoreUnavailable(
      null,
      'The parent has settings of an environment that this version does not know: upgrade this server.',
    );
  }
  return settings;
}

function deliveryOf(
  { lines, mappingDigest, flags }: DeliveryLine,
  bodies: Bodies,
): PublishedDelivery {
  const bytesOf = (digest: string): Uint8Array => bodies.get(digest) as Uint8Array;
  return {
    lines: lines.map(({ version, digest, hash }) => {
      return { version, digest, hash, json: bytesOf(digest) };
    }),
    mapping: mappingDigest === '' ? '' : Buffer.from(bytesOf(mappingDigest)).toString('utf8'),
    flags,
  };
}
