/**
 * Which users were given which variant of an experiment: for each variant an estimate of how many, and an exact set of those
 * whose hash is below a threshold that all variants share (D95). Pure. Sketches of parts, merged in any order and any number
 * of times, are the sketch of the whole.
 */
import { HashSet } from './hash-set.js';
import { HyperLogLog } from './hyper-log-log.js';

/** Hashes in the sample of all variants together; beyond it the threshold is halved. */
export const sampleMax: number = 2 ** 17;

/** Estimated bytes of a variant without its sample: registers and objects. */
export const variantBytes: number = 17 * 1024;

interface VariantUsers {
  readonly counter: HyperLogLog;
  readonly sample: HashSet;
}

export class AssignedSketch {
  readonly variants: readonly string[];
  readonly #users: readonly VariantUsers[];
  readonly #sampleMax: number;
  #level = 0;
  #sampled = 0;

  /** @param variants their names, each once */
  constructor(variants: readonly string[], max: number = sampleMax) {
    this.variants = variants;
    this.#sampleMax = max;
    this.#users = variants.map(() => ({ counter: new HyperLogLog(), sample: new HashSet() }));
  }

  /** How often the threshold was halved: the sample has the hashes that begin with so many zero bits. */
  get level(): number {
    return this.#level;
  }

  /** Hashes in the sample of all variants. */
  get sampled(): number {
    return this.#sampled;
  }

  /** What it holds in memory, roughly. */
  get bytes(): number {
    return this.#users.reduce((sum, { sample }) => sum + variantBytes + sample.bytes, 0);
  }

  /**
   * Counts a user, by a hash of two signed 32-bit integers (`UserHash`).
   * @param variant its place among `variants`
   * @returns whether that changes anything
   */
  add(variant: number, high: number, low: number): boolean {
    const isRaised = (this.#users[variant] as VariantUsers).counter.add(high, low);
    return this.sample(variant, high, low) || isRaised;
  }

  /** Raises the register of a variant's estimate, see `HyperLogLog`. */
  raise(variant: number, register: number, rank: number): void {
    (this.#users[variant] as VariantUsers).counter.raise(register, rank);
  }

  /**
   * Puts a hash into the sample of a variant without counting it in the estimate.
   * @returns whether it was not there, and is below the threshold
   */
  sample(variant: number, high: number, low: number): boolean {
    if (!isBelow(high, low, this.#level)) return false;
    if (!(this.#users[variant] as VariantUsers).sample.add(high, low)) return false;
    this.#sampled += 1;
    while (this.#sampled > this.#sampleMax) this.raiseLevel(this.#level + 1);
    return true;
  }

  /** Lowers the threshold of all variants, if it is not as low yet. */
  raiseLevel(level: number): void {
    if (level <= this.#level) return;
    this.#level = level;
    this.#sampled = 0;
    for (const { sample } of this.#users) {
      sample.filter((high, low) => isBelow(high, low, level));
      this.#sampled += sample.size;
    }
  }

  /** Adds what the other one has counted; variants of other names are left out. */
  merge(other: AssignedSketch): void {
    this.raiseLevel(other.#level);
    for (const [at, name] of other.variants.entries()) {
      const own = this.variants.indexOf(name);
      if (own < 0) continue;
      const { counter, sample } = other.#users[at] as VariantUsers;
      (this.#users[own] as VariantUsers).counter.merge(counter);
      sample.visit((high, low) => void this.sample(own, high, low));
    }
  }

  /** The same estimates, and no sample. */
  withoutSample(): AssignedSketch {
    const bare = new AssignedSketch(this.variants, this.#sampleMax);
    for (const [at, { counter }] of this.#users.entries()) {
      (bare.#users[at] as VariantUsers).counter.merge(counter);
    }
    return bare;
  }

  /** How many users were given the variant, estimated. */
  users(variant: number): number {
    return Math.round((this.#users[variant] as VariantUsers).counter.estimate());
  }

  /** How many of the sample were, exactly. */
  usersInSample(variant: number): number {
    return (this.#users[variant] as VariantUsers).sample.size;
  }

  /** The ranks that the variant's estimate is made of, by register. */
  registers(variant: number): Uint8Array {
    return (this.#users[variant] as VariantUsers).counter.registers;
  }

  /** The variant's sample, in no particular order. */
  visitSample(variant: number, visitor: (high: number, low: number) => void): void {
    (this.#users[variant] as VariantUsers).sample.visit(visitor);
  }

  /** The threshold: hashes below it are in the sample, 2^64 where all are. */
  get threshold(): bigint {
    return 2n ** BigInt(64 - this.#level);
  }
}

/** Whether a hash begins with so many zero bits. */
function isBelow(high: number, low: number, level: number): boolean {
  if (level <= 32) return Math.clz32(high) >= level;
  return high === 0 && Math.clz32(low) >= level - 32;
}

/** One sketch of all that the sketches have counted, of every variant that one of them names. */
export function unionOf(sketches: readonly AssignedSketch[]): AssignedSketch {
  const union = new AssignedSketch([...new Set(sketches.flatMap(({ variants }) => variants))]);
  for (const sketch of sketches) union.merge(sketch);
  return union;
}
