/** What requests see: every environment, key and content of one published sequence, in memory. */
import { randomBytes } from 'node:crypto';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { SelectionBudget } from '../../content/selection-budget.js';
import type { SeenAttributes } from '../../published/barrier.js';
import type {
  ContentRow,
  KeyRow,
  PublishedDelta,
  PublishedReader,
  PublishedSnapshot,
} from '../../published/reader.js';
import { selectionsBytesMax, turnMsMax } from '../limits.js';
import { ServedContent } from '../render/served-content.js';
import { type SavedSegments, ServedSegment } from '../render/served-segment.js';
import type { ServedState } from '../render/served-state.js';
import { AttributeSketch } from './attribute-sketch.js';
import { Catalog } from './catalog.js';
import { FlaggedContents } from './flagged-contents.js';

export interface ServedKey {
  readonly environment: ServedEnvironment;
  /** Milliseconds since the epoch, or Infinity. */
  readonly expiresAtMs: number;
}

const streamKeyBytes = 32;

export class ServedEnvironment {
  readonly id: string;
  readonly segments: Map<string, ServedSegment> = new Map();
  /** What its requests carry. */
  readonly attributes: AttributeSketch = new AttributeSketch();
  readonly #contents = new Map<string, ServedContent>();
  #catalog: Catalog | null = null;
  /** Goes up with each content item that is put or removed. */
  contentsVersion = 0;
  #flagged: FlaggedContents | null = null;
  /** Content items that ramp with receipts. */
  #receiptContents = 0;
  /** Lower-case ids, sorted: sorting 10,000 of them takes several times what the rest of a catalog does. */
  #order: readonly string[] | null = null;

  constructor(id: string) {
    this.id = id;
  }

  /** A content by its id in any spelling. */
  content(id: string): ServedContent | undefined {
    return this.#contents.get(id) ?? this.#contents.get(id.toLowerCase());
  }

  get contents(): ReadonlyMap<string, ServedContent> {
    return this.#contents;
  }

  get catalog(): Catalog {
    this.#catalog ??= new Catalog(this.#sorted);
    return this.#catalog;
  }

  /** What OFREP's bulk evaluation lists flags of for a caller, in the order of the catalog. */
  flaggedFor(caller: EvaluationContext): readonly ServedState[] {
    this.#flagged ??= new FlaggedContents(this.#sorted);
    return this.#flagged.for(caller);
  }

  /** Some content item ramps with receipts. */
  get collectsReceipts(): boolean {
    return this.#receiptContents > 0;
  }

  get #sorted(): ServedContent[] {
    this.#order ??= [...this.#contents.keys()].sort();
    return this.#order.map((id) => this.#contents.get(id) as ServedContent);
  }

  put(idLower: string, content: ServedContent | null): void {
    this.#catalog = null;
    this.#flagged = null;
    this.contentsVersion += 1;
    const before = this.#contents.get(idLower);
    if (content === null || before === undefined) this.#order = null;
    if (before?.ramp?.receipts) this.#receiptContents -= 1;
    if (content?.ramp?.receipts) this.#receiptContents += 1;
    before?.release();
    if (content === null) this.#contents.delete(idLower);
    else this.#contents.set(idLower, content);
  }

  /** It is served no longer. */
  release(): void {
    for (const content of this.#contents.values()) content.release();
  }

  savedSegments(): SavedSegments {
    return (name) => this.segments.get(name);
  }
}

/** Changes made ready beside the served state, so that taking them over is one short turn. */
interface Staged {
  readonly environments: Map<string, ServedEnvironment>;
  readonly contents: Map<ServedEnvironment, Map<string, ServedContent | null>>;
}

export class PublishedIndex {
  readonly #open: () => PublishedReader;
  /** Null: the file was let go of, or never opened. */
  #reader: PublishedReader | null = null;
  #environments = new Map<string, ServedEnvironment>();
  #keys = new Map<string, ServedKey>();
  #sequence = 0;
  #storeId = '';
  #streamKey: Uint8Array | null = null;
  /** In the place of the store's, where that is not published. */
  readonly #ownStreamKey: Uint8Array = randomBytes(streamKeyBytes);
  /** What the selections of all contents hold. */
  readonly selections: SelectionBudget = new SelectionBudget(selectionsBytesMax, true);
  /** What is served was read from another file than the present one: changes say nothing of it. */
  #readsAll = true;
  /** Goes up whenever what is served may be another. */
  version = 0;
  /** Goes up whenever a key, or an environment that keys belong to, may be another. */
  keysVersion = 0;

  /** @param open opens published.db; called again after each `release` */
  constructor(open: () => PublishedReader) {
    this.#open = open;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Identity of the store that the served state was published from; opaque. */
  get storeId(): string {
    return this.#storeId;
  }

  /**
   * Secret that tokens of streams are sealed with, 32 bytes: the store's, so that they hold on every node and after
   * restarts. While the store has not been reachable since an upgrade, it is one of this process: its tokens hold here
   * only, and clients fetch others from the next response on (D82). Never to be logged or sent.
   */
  get streamKey(): Uint8Array {
    return this.#streamKey ?? this.#ownStreamKey;
  }

  environment(id: string): ServedEnvironment | undefined {
    return this.#environments.get(id);
  }

  /** Of all keys. */
  get keyHashes(): Iterable<string> {
    return this.#keys.keys();
  }

  key(hash: string): ServedKey | undefined {
    return this.#keys.get(hash);
  }

  /** Names of attributes that requests carried since this was asked last. */
  takeAttributes(): SeenAttributes {
    return [...this.#environments.values()].flatMap(({ id, attributes }) => {
      const names = attributes.take();
      return names.length === 0 ? [] : [[id, names] as const];
    });
  }

  /**
   * Reads what is published and takes it over at once: no request sees part of a sequence. Compiles in
   * short turns, so that requests go on meanwhile.
   */
  catchUp(): Promise<void> {
    this.#reader ??= this.#open();
    const reader = this.#reader;
    return reader.inSnapshot(() => {
      const delta = this.#readsAll ? null : reader.changesAfter(this.#sequence);
      if (delta === null || this.#remakes(delta)) return this.#load(reader, reader.snapshot());
      return this.#apply(reader, delta);
    });
  }

  /** Closes the file, which nothing may be reading. What is served goes on being served. */
  release(): void {
    this.#reader?.close();
    this.#reader = null;
    this.#readsAll = true;
  }

  /** Whether an environment that is served was removed and made again: its old contents are not named then. */
  #remakes(delta: PublishedDelta): boolean {
    return [...delta.environments].some(([id, exists]) => exists && this.#environments.has(id));
  }

  async #load(reader: PublishedReader, snapshot: PublishedSnapshot): Promise<void> {
    const environments = new Map<string, ServedEnvironment>();
    for (const id of snapshot.environments) environments.set(id, new ServedEnvironment(id));
    for (const row of snapshot.segments) {
      environments.get(row.environment)?.segments.set(row.name, new ServedSegment(row));
    }
    await inTurns(snapshot.contents, ([id, idLower]) => {
      const environment = environments.get(id);
      const row = reader.content(id, idLower);
      if (environment === undefined || row === null) return;
      environment.put(idLower, this.#serve(row, environment.savedSegments()));
    });
    for (const environment of this.#environments.values()) environment.release();
    this.#environments = environments;
    this.#keys = new Map();
    for (const row of snapshot.keys) this.#putKey(row.hash, row);
    this.keysVersion += 1;
    this.version += 1;
    this.#sequence = snapshot.sequence;
    this.#storeId = snapshot.storeId;
    this.#streamKey = snapshot.streamKey;
    this.#readsAll = false;
  }

  async #apply(reader: PublishedReader, delta: PublishedDelta): Promise<void> {
    const staged: Staged = { environments: new Map(), contents: new Map() };
    for (const [id, exists] of delta.environments) {
      if (exists) staged.environments.set(id, new ServedEnvironment(id));
    }
    const environmentOf = (id: string) => this.#environments.get(id) ?? staged.environments.get(id);

    const segments = stageSegments(delta, environmentOf);
    const stage = (
      environment: ServedEnvironment,
      idLower: string,
      content: ServedContent | null,
    ) => {
      const contents = staged.contents.get(environment) ?? new Map();
      staged.contents.set(environment, contents.set(idLower, content));
    };
    const lookup = (environment: ServedEnvironment): SavedSegments => {
      const changed = segments.get(environment);
      return (name) =>
        changed?.has(name) ? (changed.get(name) ?? undefined) : environment.segments.get(name);
    };
    const usesChanged = (environment: ServedEnvironment, content: ServedContent): boolean =>
      [...(segments.get(environment)?.keys() ?? [])].some((name) => content.usesSegment(name));
    // A segment's change names the contents that use it, since their hashes are others then; files of older versions do not.
    const named = new Set(delta.contents.map(([id, idLower]) => `${id}/${idLower}`));
    for (const environment of segments.keys()) {
      await inTurns([...environment.contents], ([idLower, content]) => {
        if (named.has(`${environment.id}/${idLower}`) || !usesChanged(environment, content)) return;
        stage(environment, idLower, content.withSegments(lookup(environment)));
      });
    }
    await inTurns(delta.contents, ([id, idLower]) => {
      const environment = environmentOf(id);
      if (environment === undefined) return;
      const row = reader.content(id, idLower);
      const served = environment.contents.get(idLower);
      // A release that pauses names what it changes, which is what it was.
      const isSame = row !== null && served?.isOf(row) && !usesChanged(environment, served);
      if (isSame) return;
      stage(environment, idLower, row === null ? null : this.#serve(row, lookup(environment)));
    });

    for (const [id, environment] of staged.environments) this.#environments.set(id, environment);
    for (const [environment, changed] of segments) {
      for (const [name, segment] of changed) {
        if (segment === null) environment.segments.delete(name);
        else environment.segments.set(name, segment);
      }
    }
    for (const [environment, contents] of staged.contents) {
      for (const [idLower, content] of contents) environment.put(idLower, content);
    }
    for (const [hash, row] of delta.keys) this.#putKey(hash, row);
    if (delta.keys.size + delta.environments.size > 0) this.keysVersion += 1;
    for (const [id, exists] of delta.environments) if (!exists) this.#removeEnvironment(id);
    this.version += 1;
    this.#sequence = delta.sequence;
    this.#storeId = delta.storeId;
    this.#streamKey = delta.streamKey;
  }

  #serve(row: ContentRow, segments: SavedSegments): ServedContent {
    return new ServedContent(row, segments, this.selections);
  }

  #putKey(hash: string, row: KeyRow | null): void {
    const environment = row === null ? undefined : this.#environments.get(row.environment);
    if (row === null || environment === undefined) {
      this.#keys.delete(hash);
      return;
    }
    this.#keys.set(hash, { environment, expiresAtMs: row.expiresAtMs ?? Number.POSITIVE_INFINITY });
  }

  #removeEnvironment(id: string): void {
    const environment = this.#environments.get(id);
    environment?.release();
    this.#environments.delete(id);
    for (const [hash, key] of this.#keys) {
      if (key.environment === environment) this.#keys.delete(hash);
    }
  }
}

/** Null: the segment is gone. One that is what it was is left out. */
function stageSegments(
  delta: PublishedDelta,
  environmentOf: (id: string) => ServedEnvironment | undefined,
): Map<ServedEnvironment, Map<string, ServedSegment | null>> {
  const staged = new Map<ServedEnvironment, Map<string, ServedSegment | null>>();
  for (const [id, name, row] of delta.segments) {
    const environment = environmentOf(id);
    if (environment === undefined) continue;
    if (row !== null && environment.segments.get(name)?.isOf(row)) continue;
    const changed = staged.get(environment) ?? new Map<string, ServedSegment | null>();
    staged.set(environment, changed.set(name, row === null ? null : new ServedSegment(row)));
  }
  return staged;
}

/** Does the work in short turns, with the event loop free in between. */
async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let until = performance.now() + turnMsMax;
  for (const item of items) {
    work(item);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setImmediate(resolve));
    until = performance.now() + turnMsMax;
  }
}
