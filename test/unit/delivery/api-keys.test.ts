import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/content/hash.js';
import { keysVerifiedMax } from '../../../src/delivery/limits.js';
import { problems } from '../../../src/delivery/problems.js';
import { ApiKeys } from '../../../src/delivery/published/api-keys.js';
import {
  type PublishedIndex,
  ServedEnvironment,
  type ServedKey,
} from '../../../src/delivery/published/published-index.js';

const environment = new ServedEnvironment('dev');

/** What the keys need of the index: keys by their hashes, and a version that an edit raises. */
class FakeIndex {
  readonly keys = new Map<string, ServedKey>();
  keysVersion = 0;

  add(key: string, expiresAtMs: number = Number.POSITIVE_INFINITY): void {
    this.keys.set(digestOf(key), { environment, expiresAtMs, purpose: 'game' });
  }

  key(hash: string): ServedKey | undefined {
    return this.keys.get(hash);
  }

  get keyHashes(): Iterable<string> {
    return this.keys.keys();
  }
}

function keysOf(index: FakeIndex, rateMax: number | null = null): ApiKeys {
  return new ApiKeys(index as unknown as PublishedIndex, rateMax);
}

describe('the uses of keys', () => {
  it('are those that were let in, each key once, with its last time', () => {
    const index = new FakeIndex();
    index.add('a');
    index.add('b');
    const keys = keysOf(index);
    keys.admit('a', 10);
    keys.admit('b', 11);
    keys.admit('a', 12);
    expect(keys.admit('c', 13)).toBe(problems.keyInvalid);
    expect(keys.takeUsed()).toEqual([
      [digestOf('a'), 12],
      [digestOf('b'), 11],
    ]);
    expect(keys.takeUsed()).toEqual([]);
    keys.admit('b', 20);
    expect(keys.takeUsed()).toEqual([[digestOf('b'), 20]]);
  });

  it('are not those that were refused: expired, or over the rate', () => {
    const index = new FakeIndex();
    index.add('old', 5);
    index.add('busy');
    const keys = keysOf(index, 1);
    expect(keys.admit('old', 5)).toBe(problems.keyInvalid);
    keys.admit('busy', 100);
    expect(keys.admit('busy', 101)).toBe(problems.rateLimited);
    expect(keys.takeUsed()).toEqual([[digestOf('busy'), 100]]);
  });

  it('survive that the keys change, and that there are more than are remembered', () => {
    const index = new FakeIndex();
    index.add('a');
    const keys = keysOf(index);
    keys.admit('a', 10);
    index.keysVersion += 1;
    index.add('b');
    keys.admit('b', 11);
    expect(keys.takeUsed()).toEqual([
      [digestOf('a'), 10],
      [digestOf('b'), 11],
    ]);
    // A change of the keys evicts none: all are looked up again.
    expect(keys.evictions).toBe(0);
    for (let count = 0; count <= keysVerifiedMax; count += 1) {
      index.add(`key ${count}`);
      keys.admit(`key ${count}`, count);
    }
    expect(keys.evictions).toBe(keysVerifiedMax);
    expect(keys.takeUsed().length).toBeGreaterThanOrEqual(keysVerifiedMax);
  });
});

describe('a key that a token names', () => {
  const idOf = (key: string) => digestOf(key).slice(0, 16);

  it('is admitted as its text is: with one rate, and one last use', () => {
    const index = new FakeIndex();
    index.add('a');
    const keys = keysOf(index, 2);
    expect(keys.admitId(idOf('a'), 10)).toEqual({ hash: digestOf('a'), environment });
    expect(keys.takeUsed()).toEqual([[digestOf('a'), 10]]);
    expect(keys.admit('a', 11)).toBe(environment);
    expect(keys.admitId(idOf('a'), 12)).toBe(problems.rateLimited);
    expect(keys.admit('a', 12)).toBe(problems.rateLimited);
    expect(keys.takeUsed()).toEqual([[digestOf('a'), 11]]);
    expect(keys.admitId(idOf('a'), 1_012)).toEqual({ hash: digestOf('a'), environment });
  });

  it('is not admitted, and not used, when it is unknown, expired or revoked', () => {
    const index = new FakeIndex();
    index.add('a', 10);
    index.add('b');
    const keys = keysOf(index);
    expect(keys.admitId(idOf('a'), 10)).toBe(problems.keyInvalid);
    expect(keys.admitId(idOf('c'), 10)).toBe(problems.keyInvalid);
    expect(keys.admitId(idOf('b'), 10)).toEqual({ hash: digestOf('b'), environment });
    index.keys.clear();
    index.keysVersion += 1;
    expect(keys.admitId(idOf('b'), 11)).toBe(problems.keyInvalid);
    expect(keys.takeUsed()).toEqual([[digestOf('b'), 10]]);
  });
});
