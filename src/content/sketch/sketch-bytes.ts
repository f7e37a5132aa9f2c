/**
 * Assigned sketches as bytes, for messages and the store. Pure. Little-endian:
 *
 *   version 1 (1 byte), level (1), length of the names (4), names of the variants as JSON; then for each variant
 *   registers (4): how many are set; 2^31 more where all ranks follow as 16,384 bytes, else register * 64 + rank (4 each);
 *   hashes (4): how many are in the sample, then high and low half of each (4 + 4).
 */
import { AssignedSketch } from './assigned-sketch.js';
import { rankMax, registerCount } from './hyper-log-log.js';

const version = 1;
const headBytes = 6;
const wordBytes = 4;
const ranksPerRegister = 64;
/** Beyond so many, all ranks take fewer bytes. */
const listedMax = registerCount / wordBytes;
const isDense = 2 ** 31;

export function encodeSketch(sketch: AssignedSketch): Uint8Array {
  const names = new TextEncoder().encode(JSON.stringify(sketch.variants));
  const counts = sketch.variants.map((_, at) => setCount(sketch.registers(at)));
  let length = headBytes + names.byteLength;
  for (const [at, count] of counts.entries()) {
    length += 2 * wordBytes + (count > listedMax ? registerCount : count * wordBytes);
    length += 2 * wordBytes * sketch.usersInSample(at);
  }
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes[0] = version;
  bytes[1] = sketch.level;
  view.setUint32(2, names.byteLength, true);
  bytes.set(names, headBytes);
  let at = headBytes + names.byteLength;
  for (const [variant, count] of counts.entries()) {
    at = writeRegisters(view, at, sketch.registers(variant), count);
    at = writeSample(view, at, sketch, variant);
  }
  return bytes;
}

function setCount(registers: Uint8Array): number {
  let count = 0;
  for (const rank of registers) if (rank > 0) count += 1;
  return count;
}

function writeRegisters(
  view: DataView,
  from: number,
  registers: Uint8Array,
  count: number,
): number {
  let at = from + wordBytes;
  if (count > listedMax) {
    view.setUint32(from, count + isDense, true);
    new Uint8Array(view.buffer).set(registers, at);
    return at + registerCount;
  }
  view.setUint32(from, count, true);
  for (let register = 0; register < registerCount; register += 1) {
    const rank = registers[register] as number;
    if (rank === 0) continue;
    view.setUint32(at, register * ranksPerRegister + rank, true);
    at += wordBytes;
  }
  return at;
}

function writeSample(
  view: DataView,
  from: number,
  sketch: AssignedSketch,
  variant: number,
): number {
  view.setUint32(from, sketch.usersInSample(variant), true);
  let at = from + wordBytes;
  sketch.visitSample(variant, (high, low) => {
    view.setInt32(at, high, true);
    view.setInt32(at + wordBytes, low, true);
    at += 2 * wordBytes;
  });
  return at;
}

/**
 * @param max see `AssignedSketch`
 * @returns null for what is no sketch, or one of a later version
 */
export function decodeSketch(bytes: Uint8Array, max?: number): AssignedSketch | null {
  try {
    return new Reading(bytes).sketch(max);
  } catch {
    return null;
  }
}

class Reading {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws when it is none */
  sketch(max: number | undefined): AssignedSketch {
    if (this.#byte() !== version) throw new RangeError('another version');
    const level = this.#byte();
    const names = this.#take(this.#word());
    const variants: unknown = JSON.parse(new TextDecoder().decode(names));
    if (!isNames(variants)) throw new TypeError('no names');
    const sketch = new AssignedSketch(variants, max);
    sketch.raiseLevel(level);
    for (const at of variants.keys()) {
      this.#registers(sketch, at);
      for (let left = this.#word(); left > 0; left -= 1) {
        sketch.sample(at, this.#word() | 0, this.#word() | 0);
      }
    }
    if (this.#at !== this.#bytes.byteLength) throw new RangeError('too long');
    return sketch;
  }

  #registers(sketch: AssignedSketch, variant: number): void {
    const count = this.#word();
    if (count >= isDense) {
      for (const [register, rank] of this.#take(registerCount).entries()) {
        sketch.raise(variant, register, ranked(rank));
      }
      return;
    }
    for (let left = count; left > 0; left -= 1) {
      const word = this.#word();
      const register = Math.floor(word / ranksPerRegister);
      if (register >= registerCount) throw new RangeError('no register');
      sketch.raise(variant, register, ranked(word % ranksPerRegister));
    }
  }

  #byte(): number {
    return this.#take(1)[0] as number;
  }

  #word(): number {
    const word = this.#view.getUint32(this.#at, true);
    this.#at += wordBytes;
    return word;
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.byteLength) throw new RangeError('too short');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function isNames(names: unknown): names is readonly string[] {
  return Array.isArray(names) && names.every((name) => typeof name === 'string');
}

function ranked(rank: number): number {
  if (rank > rankMax) throw new RangeError('no rank');
  return rank;
}
