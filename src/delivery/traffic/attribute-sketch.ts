/**
 * Remembers the names of attributes that requests of one environment carry, so that people can be warned of a condition on
 * an attribute that no game sends. Never a value, and nothing of who asked. Most requests are only counted: the first
 * few hundred are looked at, then about one in 64.
 */
import {
  attributeNameCharsMax,
  attributeNamesMax,
  attributeNamesPerRequestMax,
  attributeRequestsFirst,
  attributeSampleEvery,
} from '../limits.js';

const dayMs = 24 * 3_600_000;

export class AttributeSketch {
  readonly #now: () => number;
  readonly #random: () => number;
  /** Requests that pass before the next one is looked at. */
  #toPass = 0;
  #looked = 0;
  /** By name the day on which it was last seen, those of the longest ago first. */
  readonly #days = new Map<string, number>();
  /** Seen today for the first time, and not reported yet. */
  #unreported: string[] = [];

  /**
   * @param now milliseconds since the epoch
   * @param random from 0 to below 1
   */
  constructor(now: () => number = Date.now, random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  /**
   * Runs per request: allocates nothing and reads no clock unless the request is looked at.
   * @returns how many requests it stands for, on average, if it was looked at; else 0
   */
  note(attributes: Readonly<Record<string, unknown>>): number {
    if (this.#toPass > 0) {
      this.#toPass -= 1;
      return 0;
    }
    const requests = this.#pass();
    this.#look(attributes);
    return requests;
  }

  /** Names that were seen since this was asked last; each is given once a day. */
  take(): readonly string[] {
    const names = this.#unreported;
    this.#unreported = [];
    return names;
  }

  /** Decides how many requests pass before the next one is looked at. */
  #pass(): number {
    if (this.#looked < attributeRequestsFirst) {
      this.#looked += 1;
      return 1;
    }
    // Of random length: callers that come in turns are not always passed over.
    this.#toPass = Math.floor(this.#random() * (2 * attributeSampleEvery - 1));
    return attributeSampleEvery;
  }

  #look(attributes: Readonly<Record<string, unknown>>): void {
    const day = Math.floor(this.#now() / dayMs);
    let count = 0;
    for (const name in attributes) {
      if (++count > attributeNamesPerRequestMax) return;
      if (this.#days.get(name) !== day) this.#see(name, day);
    }
  }

  #see(name: string, day: number): void {
    if (!isNameable(name)) return;
    if (!this.#days.delete(name) && !this.#hasRoom(day)) return;
    this.#days.set(name, day);
    this.#unreported.push(name);
  }

  /** A name that was not seen today makes room. */
  #hasRoom(day: number): boolean {
    if (this.#days.size < attributeNamesMax) return true;
    const [oldest] = this.#days;
    if (oldest === undefined || oldest[1] === day) return false;
    return this.#days.delete(oldest[0]);
  }
}

/** Whether a name may be kept. */
export function isNameable(name: string): boolean {
  return name.length <= attributeNameCharsMax && nameable.test(name);
}

/**
 * A condition cannot address a name with a dot, and the store takes no control characters and no halves of a character.
 * Invisible characters (bidirectional marks, line separators) could make a name look like another one.
 */
const nameable = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}.]+$/u;
