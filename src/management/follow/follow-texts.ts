/**
 * What followers are sent, compressed once for all that ask for the same: changes of the present position, and texts. It is read
 * from published.db, never from the store, and in memory before it is sent: a slow follower holds no read of the file open.
 */
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { type PublishedDelta, PublishedReader } from '../../published/reader.js';
import type { PublishedPosition } from '../../published/writer.js';
import {
  followCarefulBytesMax,
  followLinesKeptBytesMax,
  followNextBytesMax,
  followNextChangesMax,
  followNextTextBytesMax,
  followTextKeptBytesMax,
} from '../limits/follow.js';
import { StoreUnavailable } from '../store/store-errors.js';
import type { Positions } from './positions.js';
import { linesOfDelta, linesOfEverything } from './published-lines.js';
import type { ChangeLine, ChangesHead } from './wire.js';

const gzipped = promisify(gzip);
/** Followers are at a few positions: most at the newest but one. */
const changesKeptMax = 16;
/** A write of several turns has committed, and says so in its next one. */
const readTriesMax = 10;

/** The file that is published from. */
export interface FollowedFile {
  readonly position: PublishedPosition;
  readonly servesNothing: boolean;
}

interface Changes {
  readonly compressed: Buffer;
  /** What they are decompressed. */
  readonly textBytes: number;
}

export class FollowTexts {
  readonly #path: string;
  readonly #file: FollowedFile;
  readonly #positions: Pick<Positions, 'has'>;
  /** Of `#at`, by the position that they are after. */
  readonly #changes = new Map<string, Promise<Changes | null>>();
  #at: PublishedPosition = { sequence: 0, mark: '' };
  /** Lines of texts by digest, the one that was asked for last at the end. */
  readonly #bodies = new Map<string, Buffer>();
  #bodiesBytes = 0;
  /** Lines that are being made: who asks for one meanwhile waits for the same. */
  readonly #making = new Map<string, Promise<Buffer>>();

  /** @param path of published.db */
  constructor(path: string, file: FollowedFile, positions: Pick<Positions, 'has'>) {
    this.#path = path;
    this.#file = file;
    this.#positions = positions;
  }

  /**
   * Lines of what changed after a position, a gzip file.
   * @param after null: everything
   * @throws PublishedDamaged
   */
  async changes(after: PublishedPosition | null): Promise<Buffer> {
    const all = Number.POSITIVE_INFINITY;
    const { compressed } = (await this.#kept(after, all)) as Changes;
    return compressed;
  }

  /**
   * The same where it can be sent without being asked for. Null: it is long, takes long to be read, or would be everything.
   * @throws PublishedDamaged
   */
  async next(after: PublishedPosition): Promise<Buffer | null> {
    if (!this.#positions.has(after)) return null;
    const changes = await this.#kept(after, followNextChangesMax);
    if (changes === null || changes.textBytes > followNextTextBytesMax) return null;
    return changes.compressed.byteLength > followNextBytesMax ? null : changes.compressed;
  }

  /** Null: more has changed than `countMax` things, or it is not known what. */
  #kept(after: PublishedPosition | null, countMax: number): Promise<Changes | null> {
    const { sequence, mark } = this.#file.position;
    if (this.#at.sequence !== sequence || this.#at.mark !== mark) {
      this.#at = { sequence, mark };
      this.#changes.clear();
    }
    const key = `${this.#keyOf(after)} ${countMax}`;
    const kept = this.#changes.get(key);
    if (kept !== undefined) return kept;
    const made = this.#reading((reader) => this.#make(reader, after, countMax));
    if (this.#changes.size >= changesKeptMax) this.#changes.clear();
    this.#changes.set(key, made);
    // What failed is tried again by the next one.
    made.catch(() => this.#changes.get(key) === made && this.#changes.delete(key));
    return made;
  }

  /** All at positions of the past that are not known share everything. */
  #keyOf(after: PublishedPosition | null): string {
    if (after === null) return 'everything';
    const isOlder = after.sequence < this.#at.sequence;
    return isOlder && !this.#positions.has(after)
      ? 'everything'
      : `${after.sequence} ${after.mark}`;
  }

  /** Lines of texts, each a gzip member: together a gzip file. */
  async *bodies(digests: readonly string[]): AsyncGenerator<Buffer> {
    let reader: PublishedReader | null = null;
    try {
      for (const digest of digests) {
        const line = this.#keptBody(digest) ?? this.#making.get(digest);
        if (line === undefined) reader ??= new PublishedReader(this.#path);
        yield line ?? this.#makeBody(reader as PublishedReader, digest);
      }
    } finally {
      reader?.close();
    }
  }

  async #reading<T>(work: (reader: PublishedReader) => Promise<T>): Promise<T> {
    const reader = new PublishedReader(this.#path);
    try {
      return await work(reader);
    } finally {
      reader.close();
    }
  }

  async #make(
    reader: PublishedReader,
    after: PublishedPosition | null,
    countMax: number,
  ): Promise<Changes | null> {
    for (let tries = 0; tries < readTriesMax; tries += 1) {
      const lines = await reader.inSnapshot(() => this.#read(reader, after, countMax));
      if (lines === 'many') return null;
      if (lines !== null) {
        const [head, ...rest] = lines;
        const all = [head, ...rest, { kind: 'end', lines: rest.length }];
        const bytes = Buffer.from(all.map((line) => `${JSON.stringify(line)}\n`).join(''));
        const { byteLength: textBytes } = bytes;
        const isLong = textBytes > followCarefulBytesMax;
        const compressed = await gzipped(bytes, isLong ? { level: constants.Z_BEST_SPEED } : {});
        return { compressed, textBytes };
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new StoreUnavailable(null, 'published.db changes all the time.');
  }

  /** The head is read in one turn, in which nothing can be published. Null: what is read and what is known are not of one number. */
  async #read(
    reader: PublishedReader,
    after: PublishedPosition | null,
    countMax: number,
  ): Promise<[ChangesHead, ...ChangeLine[]] | 'many' | null> {
    const { position, servesNothing } = this.#file;
    const isKnown = after !== null && this.#positions.has(after);
    const delta = isKnown ? reader.changesAfter(after.sequence) : null;
    if (countOf(delta) > countMax) return 'many';
    const read = delta ?? reader.snapshot();
    if (read.sequence !== position.sequence) return null;
    const streamKey = Buffer.from(read.streamKey ?? '').toString('base64url');
    const head = { ...position, storeId: read.storeId, servesNothing, streamKey };
    const isThere = after?.sequence === position.sequence && after.mark === position.mark;
    if (isThere) return [{ ...head, form: 'none' }];
    if (after !== null && after.sequence >= position.sequence) return [{ ...head, form: 'behind' }];
    if (delta !== null)
      return [{ ...head, form: 'changes' }, ...(await linesOfDelta(reader, delta))];
    const everything = await linesOfEverything(reader, reader.snapshot());
    return [{ ...head, form: 'everything' }, ...everything];
  }

  #keptBody(digest: string): Buffer | null {
    const kept = this.#bodies.get(digest);
    if (kept === undefined) return null;
    this.#bodies.delete(digest);
    this.#bodies.set(digest, kept);
    return kept;
  }

  async #makeBody(reader: PublishedReader, digest: string): Promise<Buffer> {
    const making = this.#compress(reader, digest);
    this.#making.set(digest, making);
    try {
      return await making;
    } finally {
      this.#making.delete(digest);
    }
  }

  async #compress(reader: PublishedReader, digest: string): Promise<Buffer> {
    const bytes = reader.body(digest);
    const text = bytes === null ? null : Buffer.from(bytes).toString('utf8');
    const line = await gzipped(Buffer.from(`${JSON.stringify({ digest, text })}\n`));
    if (text !== null && line.byteLength <= followTextKeptBytesMax) this.#keepBody(digest, line);
    return line;
  }

  #keepBody(digest: string, line: Buffer): void {
    if (this.#bodies.has(digest)) return;
    this.#bodies.set(digest, line);
    this.#bodiesBytes += line.byteLength;
    for (const [oldest, { byteLength }] of this.#bodies) {
      if (this.#bodiesBytes <= followLinesKeptBytesMax) return;
      this.#bodies.delete(oldest);
      this.#bodiesBytes -= byteLength;
    }
  }
}

/** Things that changed; null: everything may have. */
function countOf(delta: PublishedDelta | null): number {
  if (delta === null) return Number.POSITIVE_INFINITY;
  const { environments, settings, keys, segments, contents } = delta;
  return environments.size + settings.size + keys.size + segments.length + contents.length;
}
