/** What requests see: every environment, key and content of one published sequence, in memory. */
import { randomBytes } from 'node:crypto';
import { contentKey } from '../../content/content-id.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { SelectionBudget } from '../../content/selection-budget.js';
import type { KeyPurpose } from '../../published/change.js';
import { type EnvironmentSettings, noSettings } from '../../published/environment-settings.js';
import type {
  ContentRow,
  EnvironmentRow,
  KeyRow,
  PublishedDelta,
  PublishedReader,
  PublishedSnapshot,
} from '../../published/reader.js';
import type { SeenTraffic } from '../../published/traffic.js';
import { AssignedCounts } from '../experiments/assigned-counts.js';
import type { ContentExperiments } from '../experiments/counted-arms.js';
import { selectionsBytesMax, turnMsMax } from '../limits.js';
import { ServedContent } from '../render/served-content.js';
import { type SavedSegments, ServedSegment } from '../render/served-segment.js';
import type { ServedState } from '../render/served-state.js';
import { TrafficSketch } from '../traffic/traffic-sketch.js';
import { Catalog } from './catalog.js';
import { ChangedDefinitions } from './changed-definitions.js';
import { FlaggedContents } from './flagged-contents.js';

export interface ServedKey {
  readonly environment: ServedEnvironment;
  /** Milliseconds since the epoch, or Infinity. */
  readonly expiresAtMs: number;
  readonly purpose: KeyPurpose;
}

const streamKeyBytes = 32;

export class ServedEnvironment {
  readonly id: string;
  /** Replaced as a whole; see `PublishedIndex.version`. */
  settings: EnvironmentSettings;
  readonly segments: Map<string, ServedSegment> = new Map();
  /** What its requests carry. */
  readonly traffic: TrafficSketch = new TrafficSketch();
  /** Its requests since they were reported last. */
  requests = 0;
  readonly #contents = new Map<string, ServedContent>();
  #catalog: Catalog | null = null;
  /** Goes up with each content item that is put or removed. */
  contentsVersion = 0;
  #flagged: FlaggedContents | null = null;
  /** Content items that ramp with receipts. */
  #receiptContents = 0;
  /** Lower-case ids, sorted: sorting 10,000 of them takes several times what the rest of a catalog does. */
  #order: readonly string[] | null = null;

  constructor(id: string, settings: EnvironmentSettings = noSettings) {
    this.id = id;
    this.settings = settings;
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
  readonly #takesEvents: boolean;
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
  /** Users of experiments that run. */
  readonly assigned: AssignedCounts = new AssignedCounts();
  /** What is served was read from another file than the present one: changes say nothing of it. */
  #readsAll = true;
  /** Goes up whenever what is served may be another. */
  version = 0;
  /** Goes up whenever a key, or an environment that keys belong to, may be another. */
  keysVersion = 0;

  /**
   * @param open opens published.db; called again after each `release`
   * @param takesEvents whether this server takes events at all
   */
  constructor(open: () => PublishedReader, takesEvents = true) {
    this.#open = open;
    this.#takesEvents = takesEvents;
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

  /** What requests carried since this was asked last, of environments where it is anything. */
  takeTraffic(): SeenTraffic[] {
    return [...this.#environments.values()].flatMap(({ id, traffic, settings }) => {
      const seen = traffic.take(settings.traffic);
      const isEmpty = seen.names.length + seen.values.length === 0 && seen.sampled === null;
      return isEmpty ? [] : [{ environment: id, ...seen }];
    });
  }

  /** Requests by environment since this was asked last, where there were any. */
  takeRequests(): [environment: string, count: number][] {
    return [...this.#environments.values()].flatMap((environment) => {
      const { id, requests } = environment;
      environment.requests = 0;
      return requests === 0 ? [] : [[id, requests]];
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
    return [...delta.environments].some(([id, row]) => row !== null && this.#environments.has(id));
  }

  async #load(reader: PublishedReader, snapshot: PublishedSnapshot): Promise<void> {
    const environments = new Map<string, ServedEnvironment>();
    for (const row of snapshot.environments) environments.set(row.id, this.#made(row));
    for (const row of snapshot.segments) {
      environments.get(row.environment)?.segments.set(row.name, new ServedSegment(row));
    }
    await inTurns(snapshot.contents, ([id, idLower]) => {
      const environment = environments.get(id);
      const row = reader.content(id, idLower);
      if (environment === undefined || row === null) return;
      const { settings } = environment;
      environment.put(idLower, this.#serve(id, row, environment.savedSegments(), settings));
    });
    for (const environment of this.#environments.values()) {
      environment.release();
      const successor = environments.get(environment.id);
      if (successor !== undefined) successor.requests = environment.requests;
      if (!environments.has(environment.id)) this.assigned.retain(environment.id, []);
    }
    for (const { id, settings } of environments.values()) {
      this.assigned.retain(id, settings.experiments);
    }
    this.#environments = environments;
    this.#keys = new Map();
    for (const row of snapshot.keys) this.#putKey(row.hash, row);
    this.keysVersion += 1;
    this.version += 1;
    this.#sequence = snapshot.sequence;
    this.#storeId = snapshot.storeId;
    this.#streamKey = snapshot.streamKey;
    this.assigned.setKey(this.streamKey);
    this.#readsAll = false;
  }

  async #apply(reader: PublishedReader, delta: PublishedDelta): Promise<void> {
    const staged: Staged = { environments: new Map(), contents: new Map() };
    for (const [id, row] of delta.environments) {
      if (row !== null) staged.environments.set(id, this.#made(row));
    }
    const find = (id: string) => this.#environments.get(id) ?? staged.environments.get(id);

    const definitions = new ChangedDefinitions(delta, find);
    const stage = (
      environment: ServedEnvironment,
      idLower: string,
      content: ServedContent | null,
    ) => {
      const contents = staged.contents.get(environment) ?? new Map();
      staged.contents.set(environment, contents.set(idLower, content));
    };
    // A change of a segment or a layer names the contents that use it, since their hashes are others then; files of older
    // versions do not.
    const named = new Set(delta.contents.map(([id, idLower]) => `${id}/${idLower}`));
    for (const environment of definitions.environments) {
      await inTurns([...environment.contents], ([idLower, content]) => {
        if (named.has(`${environment.id}/${idLower}`)) return;
        if (!definitions.isUsedBy(environment, content)) return;
        const settings = definitions.settingsOf(environment);
        const running = this.#experiments(environment.id, idLower, settings);
        const segments = definitions.segmentsOf(environment);
        stage(environment, idLower, content.withDefinitions(segments, settings, running));
      });
    }
    await inTurns(delta.contents, ([id, idLower]) => {
      const environment = find(id);
      if (environment === undefined) return;
      const row = reader.content(id, idLower);
      const served = environment.contents.get(idLower);
      // A release that pauses names what it changes, which is what it was.
      const isSame =
        row !== null && served?.isOf(row) && !definitions.isUsedBy(environment, served);
      if (isSame) return;
      if (row === null) stage(environment, idLower, null);
      else {
        const settings = definitions.settingsOf(environment);
        const segments = definitions.segmentsOf(environment);
        stage(environment, idLower, this.#serve(id, row, segments, settings));
      }
    });

    for (const [id, environment] of staged.environments) this.#environments.set(id, environment);
    for (const [id, settings] of delta.settings) {
      const environment = this.#environments.get(id);
      if (environment !== undefined) environment.settings = this.#settingsOf(settings);
      this.assigned.retain(id, settings.experiments);
    }
    definitions.takeOverSegments();
    for (const [environment, contents] of staged.contents) {
      for (const [idLower, content] of contents) environment.put(idLower, content);
    }
    for (const [hash, row] of delta.keys) this.#putKey(hash, row);
    if (delta.keys.size + delta.environments.size > 0) this.keysVersion += 1;
    for (const [id, row] of delta.environments) if (row === null) this.#removeEnvironment(id);
    this.version += 1;
    this.#sequence = delta.sequence;
    this.#storeId = delta.storeId;
    this.#streamKey = delta.streamKey;
    this.assigned.setKey(this.streamKey);
  }

  #made({ id, settings }: EnvironmentRow): ServedEnvironment {
    return new ServedEnvironment(id, this.#settingsOf(settings));
  }

  #settingsOf(settings: EnvironmentSettings): EnvironmentSettings {
    return this.#takesEvents ? settings : { ...settings, takesEvents: false };
  }

  /** @param environmentId of the environment that the other arguments are of */
  #serve(
    environmentId: string,
    row: ContentRow,
    segments: SavedSegments,
    settings: EnvironmentSettings,
  ): ServedContent {
    const experiments = this.#experiments(environmentId, contentKey(row.id), settings);
    return new ServedContent(row, segments, this.selections, settings, experiments);
  }

  /** Those that run on a content item; null: none. */
  #experiments(
    environmentId: string,
    idLower: string,
    { experiments }: EnvironmentSettings,
  ): ContentExperiments | null {
    const of = experiments.filter(({ content }) => content === idLower);
    if (of.length === 0) return null;
    const running = of.map((published) => this.assigned.experiment(environmentId, published));
    return { counts: this.assigned, running };
  }

  #putKey(hash: string, row: KeyRow | null): void {
    const environment = row === null ? undefined : this.#environments.get(row.environment);
    if (row === null || environment === undefined) {
      this.#keys.delete(hash);
      return;
    }
    const { expiresAtMs, purpose } = row;
    const endsAtMs = expiresAtMs ?? Number.POSITIVE_INFINITY;
    this.#keys.set(hash, { environment, expiresAtMs: endsAtMs, purpose });
  }

  #removeEnvironment(id: string): void {
    const environment = this.#environments.get(id);
    environment?.release();
    this.assigned.retain(id, []);
    this.#environments.delete(id);
    for (const [hash, key] of this.#keys) {
      if (key.environment === environment) this.#keys.delete(hash);
    }
  }
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
