/** An experiment that runs, players who ask for its content, and what the store says of them beside what they saw. */
import { expect } from 'vitest';
import { type AssignedSketch, unionOf } from '../../../src/content/sketch/assigned-sketch.js';
import { decodeSketch } from '../../../src/content/sketch/sketch-bytes.js';
import { UserHash } from '../../../src/content/sketch/user-hash.js';
import { deriveKey } from '../../../src/delivery/sealed-token.js';
import type { Store } from '../../../src/management/store/store.js';
import { type Environment, expectDone } from './environment.js';

const mapping = [
  {
    ...{ segment: 'price-test', when: {}, salt: 'exp-1' },
    variants: [
      { name: 'control', groups: [0, 399] },
      { name: 'cheap', groups: [400, 799], merge: { price: 3 } },
    ],
  },
];

/** Of `delivery/experiments/assigned-counts.ts`. */
export function userHashOf(streamKey: Uint8Array): UserHash {
  return new UserHash(deriveKey(streamKey, 'loadout assigned users: hash'));
}

/** The exact sets of a sketch beside users by variant, and its estimates within 3 %. */
export function expectCounted(
  sketch: AssignedSketch,
  users: ReadonlyMap<string, ReadonlySet<string>>,
  hash: UserHash,
): void {
  for (const [at, variant] of sketch.variants.entries()) {
    const sampled: string[] = [];
    sketch.visitSample(at, (high, low) => void sampled.push(`${high}:${low}`));
    const expected = [...(users.get(variant) ?? [])].map((u) => {
      hash.hash(u);
      return `${hash.high}:${hash.low}`;
    });
    expect(sampled.sort()).toEqual(expected.sort());
    expect(sketch.users(at)).toBeGreaterThan(expected.length * 0.97 - 1);
    expect(sketch.users(at)).toBeLessThan(expected.length * 1.03 + 1);
  }
}

export class CountedGame {
  readonly environment: Environment;
  /** Who was given which variant, by its name. */
  readonly users = new Map<string, Set<string>>();

  private constructor(environment: Environment) {
    this.environment = environment;
  }

  /** Publishes the content and starts the experiment. */
  static async start(environment: Environment): Promise<CountedGame> {
    const { server, path } = environment;
    await environment.put('shop', '{"price":5}', { mapping });
    const record = { id: 'prices', content: 'shop', segment: 'price-test', control: 'control' };
    expectDone(await server.admin('POST', `${path}/experiments`, record));
    expectDone(await server.admin('POST', `${path}/experiments/prices/start`, {}));
    return new CountedGame(environment);
  }

  /** Each player asks once, at one server. */
  async ask(at: Environment, players: readonly string[]): Promise<void> {
    for (const u of players) {
      const { json } = expectDone(await at.wrapped('shop', { u }));
      const variant = json.meta.seg[0]?.v;
      if (variant === undefined) continue;
      this.users.set(variant, (this.users.get(variant) ?? new Set()).add(u));
    }
  }

  /** How many players were given a variant. */
  get count(): number {
    return [...this.users.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** What the store has of the experiment; null: nothing. */
  async stored(store: Pick<Store, 'read'>): Promise<AssignedSketch | null> {
    const { id } = this.environment;
    const rows = await store.read((db) =>
      db.selectFrom('assignedCounts').select('users').where('environment', '=', id).execute(),
    );
    const sketches = rows.map(({ users }) => decodeSketch(users) as AssignedSketch);
    return sketches.length === 0 ? null : unionOf(sketches);
  }

  /** @throws when the store has others than were given the variants */
  expectStored(sketch: AssignedSketch | null, streamKey: string): void {
    if (sketch === null) throw new Error('The store has counted no user.');
    expect(this.users.size).toBe(2);
    expectCounted(sketch, this.users, userHashOf(Buffer.from(streamKey, 'base64url')));
  }
}

export const playersOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
