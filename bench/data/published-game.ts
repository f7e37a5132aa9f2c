/** Publishes benchmark contents into a published.db of their own, so that delivery can be started alone. */
import { writeFileSync } from 'node:fs';
import type { digestOf } from '../../src/content/hash.js';
import type { PublishedChange } from '../../src/published/change.js';
import type { EnvironmentSettings } from '../../src/published/environment-settings.js';
import type { PublishedWriter } from '../../src/published/writer.js';
import { type Build, importFrom, type Publishing } from '../build.js';
import { hashOf } from './content-hash.js';
import type { JsonObject } from './game-content.js';
import type { BenchRule } from './mappings.js';
import type { PlainContent } from './plain-response.js';

export const environment = 'bench';
/** Written out: at run time only modules of the build at hand may be imported. */
const settings: EnvironmentSettings = {
  layers: [],
  holdout: null,
  experiments: [],
  takesEvents: false,
  metricEvents: [],
  traffic: 'values',
};
export const apiKey = 'bench-0123456789abcdef0123456789abcdef';
/** Opens the route of events, and nothing else. */
export const eventsKey = 'bench-events-0123456789abcdef01234567';

export function benchContent(
  id: string,
  value: JsonObject,
  rules: readonly BenchRule[],
): PlainContent {
  return { id, value, rules, hash: hashOf(JSON.stringify(value)) };
}

/** For the `ordinary` contender: the same contents in a JSON file. */
export function writePlainGame(path: string, contents: readonly PlainContent[]): void {
  writeFileSync(path, JSON.stringify(contents));
}

async function publishingOf(root: string): Promise<Publishing> {
  type Writer = typeof import('../../src/published/writer.js');
  type Hash = typeof import('../../src/content/hash.js');
  const { PublishedWriter } = await importFrom<Writer>(root, 'published/writer.js');
  const { digestOf } = await importFrom<Hash>(root, 'content/hash.js');
  return { PublishedWriter, digestOf };
}

/** The writer of one published.db, which edits go through as well; sequences count from 1. */
export class PublishedGame {
  readonly #writer: PublishedWriter;
  readonly #digestOf: typeof digestOf;
  #sequence = 0;

  /** The build writes its own format: another commit may have another one. */
  static async create(build: Build, path: string): Promise<PublishedGame> {
    const { PublishedWriter, digestOf } = build.publishing ?? (await publishingOf(build.root));
    const writer = new PublishedWriter(path, Date.now);
    const game = new PublishedGame(writer, digestOf);
    game.#apply([
      { kind: 'environment', environment, settings },
      { kind: 'key', environment, keyHash: digestOf(apiKey), expiresAtMs: null, purpose: 'game' },
    ]);
    return game;
  }

  private constructor(writer: PublishedWriter, digest: typeof digestOf) {
    this.#writer = writer;
    this.#digestOf = digest;
  }

  /**
   * In one transaction. Returns the sequence.
   * @param permille share of the callers that a release is to reach which changes nothing of them; null: nothing ramps
   */
  put(contents: readonly PlainContent[], permille: number | null = null): number {
    return this.#apply(contents.map((content) => this.#changeOf(content, permille)));
  }

  /** The environment takes events from now on. */
  takeEvents(): void {
    const keyHash = this.#digestOf(eventsKey);
    this.#apply([
      { kind: 'environment', environment, settings: { ...settings, takesEvents: true } },
      { kind: 'key', environment, keyHash, expiresAtMs: null, purpose: 'events' },
    ]);
  }

  /** These experiments run from now on, and no others. Returns the sequence. */
  run(experiments: EnvironmentSettings['experiments']): number {
    return this.#apply([
      { kind: 'environment', environment, settings: { ...settings, experiments } },
    ]);
  }

  /** What is kept of requests from now on. Returns the sequence. */
  keep(traffic: EnvironmentSettings['traffic']): number {
    return this.#apply([{ kind: 'environment', environment, settings: { ...settings, traffic } }]);
  }

  close(): void {
    this.#writer.close();
  }

  #apply(changes: readonly PublishedChange[]): number {
    this.#sequence += 1;
    this.#writer.apply({ sequence: this.#sequence, mark: '' }, changes);
    return this.#sequence;
  }

  #changeOf({ id, value, hash, rules }: PlainContent, permille: number | null): PublishedChange {
    const json = Buffer.from(JSON.stringify(value));
    const line = { version: '0.0.0', digest: this.#digestOf(json), hash, json };
    const mapping = rules.length === 0 ? '' : JSON.stringify(rules);
    const delivery = { lines: [line], mapping, flags: [] };
    const ramp = { release: 'bench', run: 1, salt: 'bench', step: 0, receipts: false };
    const candidate = permille === null ? null : { ...ramp, permille, content: delivery };
    return { kind: 'content', environment, id, ...delivery, candidate };
  }
}
