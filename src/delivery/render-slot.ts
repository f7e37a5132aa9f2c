/** One body that callers are given: what it is made of, and the body itself while it is cached. */
import type { MutationSource } from '../content/mapping/mapping.js';
import type { Selection } from '../content/selection.js';
import { type Coding, Form, type RenderTask } from './render-task.js';
import type { CachedBody } from './rendered-cache.js';
import type { ServedLine } from './served-content.js';

/** Room for `uid` and `mod` with what stands between: 10 and 3 digits, `,"mod":`. */
const idsBytesMax = 20;
/** Room beyond this body's own tail: another content may share the body and report longer names. */
const tailBytesSpare = 64;

const noMutations: readonly MutationSource[] = [];
const noChoices: readonly number[] = [];

export class RenderSlot {
  /** What identifies the rendered body: contents with equal JSON and equal mutations share it. */
  readonly key: string;
  readonly line: ServedLine;
  readonly form: Form;
  readonly coding: Coding;
  readonly mutations: readonly MutationSource[];
  /** The body's place in the cache, once it was found there; the bytes may have been evicted since. */
  body: CachedBody | null = null;
  readonly #selection: Selection | null;
  readonly #mappingDigest: string;
  #suffix: Uint8Array | null = null;
  #suffixMissed: readonly number[] = noChoices;

  /** @param selection null for plain delivery, which applies no mapping */
  constructor(
    line: ServedLine,
    selection: Selection | null,
    mappingDigest: string,
    form: Form,
    coding: Coding,
  ) {
    this.line = line;
    this.form = form;
    this.coding = coding;
    this.#selection = selection;
    this.mutations = selection?.mutations ?? noMutations;
    this.#mappingDigest = this.mutations.length === 0 ? '' : mappingDigest;
    this.key = `${form}${coding}${line.digest}${selection?.mutationsKey ?? ''}`;
  }

  /**
   * What follows the ids in the caller's tail: `,"seg":[…]}}`.
   * @param missed indexes into `mutations`: rules that could not apply, which are not reported
   */
  suffix(missed: readonly number[]): Uint8Array {
    if (this.#suffix === null || this.#suffixMissed !== missed) {
      const seg = this.#selection?.segJsonWithout(missed) ?? '[]';
      this.#suffix = Buffer.from(`,"seg":${seg}}}`);
      this.#suffixMissed = missed;
    }
    return this.#suffix;
  }

  get task(): RenderTask {
    return {
      bodyDigest: this.line.digest,
      hash: this.line.hash,
      mappingDigest: this.#mappingDigest,
      choices: this.#mappingDigest === '' ? noChoices : (this.#selection?.choices ?? noChoices),
      form: this.form,
      coding: this.coding,
      tailRoom:
        this.form === Form.Plain
          ? 0
          : idsBytesMax + this.suffix(noChoices).byteLength + tailBytesSpare,
    };
  }
}

/** Writes `uid,"mod":mod` and the suffix at `at`. Returns where they end. */
export function writeTail(
  target: Uint8Array,
  at: number,
  uid: number,
  mod: number,
  suffix: Uint8Array,
): number {
  let end = writeNumber(target, at, uid);
  target.set(modName, end);
  end = writeNumber(target, end + modName.byteLength, mod);
  target.set(suffix, end);
  return end + suffix.byteLength;
}

/** The most bytes that `writeTail` writes with this suffix. */
export function tailBytesMax(suffix: Uint8Array): number {
  return idsBytesMax + suffix.byteLength;
}

const modName = Buffer.from(',"mod":');
const zero = 0x30;

/** Decimal digits of an unsigned 32-bit integer. Writing them by hand makes no string. */
function writeNumber(target: Uint8Array, at: number, value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  let rest = value;
  for (let place = at + digits - 1; place >= at; place -= 1) {
    const tenth = Math.floor(rest / 10);
    target[place] = zero + rest - tenth * 10;
    rest = tenth;
  }
  return at + digits;
}
