/**
 * Counts the frequent values of attributes that requests of one environment carry, for authors of conditions. Memory is
 * bounded whatever clients send. A value is reported only once several users had it, and only of an attribute that has few
 * values: then it says nothing of a person (D111).
 */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { FrequentItems } from '../../content/sketch/frequent-items.js';
import type { SeenValues } from '../../published/traffic.js';
import {
  attributeNamesPerRequestMax,
  attributeRequestsFirst,
  valueAttributesMax,
  valueCharsMax,
  valueCountersMax,
  valueReportEveryMs,
  valueSampleEvery,
  valueShareMin,
  valuesCoveredMin,
  valuesPerAttributeMax,
  valueUsersMin,
} from '../limits.js';
import { isNameable } from './attribute-sketch.js';
import { isNamePersonal, isNumberPersonal, isTextPersonal } from './personal-values.js';

const dayMs = 24 * 3_600_000;

export class ValueSketch {
  readonly #now: () => number;
  #day = -1;
  /** By name; null: it is never counted. */
  #attributes = new Map<string, AttributeValues | null>();
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  /** Today. */
  #requests = 0;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Of requests that are looked at the first of each day count, and then each fourth. */
  add({ p, uid }: EvaluationContext): void {
    this.#forgetYesterday();
    this.#requests += 1;
    if (this.#requests > attributeRequestsFirst && this.#requests % valueSampleEvery !== 0) return;
    let count = 0;
    for (const name in p) {
      if (++count > attributeNamesPerRequestMax) return;
      const values = this.#valuesOf(name);
      if (values !== null) values.add(p[name], uid);
    }
  }

  /** What is frequent, as far as it was not reported: at once where a value is new, else once an hour. */
  take(): readonly SeenValues[] {
    const nowMs = this.#now();
    const counted = [...this.#attributes].flatMap(([name, values]) =>
      values === null ? [] : [[name, values] as const],
    );
    const isDue = nowMs - this.#reportedAtMs >= valueReportEveryMs;
    if (!isDue && !counted.some(([, values]) => values.hasNew())) return [];
    this.#reportedAtMs = nowMs;
    return counted.flatMap(([name, values]) => {
      const taken = values.take();
      return taken === null ? [] : [{ name, ...taken }];
    });
  }

  #valuesOf(name: string): AttributeValues | null {
    const known = this.#attributes.get(name);
    if (known !== undefined) return known;
    if (this.#attributes.size >= valueAttributesMax || !isNameable(name)) return null;
    const values = isNamePersonal(name) ? null : new AttributeValues();
    this.#attributes.set(name, values);
    return values;
  }

  /** Each day counts its own users. */
  #forgetYesterday(): void {
    const day = Math.floor(this.#now() / dayMs);
    if (day === this.#day) return;
    this.#day = day;
    this.#requests = 0;
    this.#attributes = new Map();
  }
}

/** What is known of one value, beside how often it was counted. */
interface ValueUsers {
  /** A bit for the hash of each user id: so many bits, so many different users at least. */
  low: number;
  high: number;
  /** Occurrences that were reported. */
  reported: number;
}

class AttributeValues {
  readonly #counts = new FrequentItems(valueCountersMax);
  readonly #users = new Map<string, ValueUsers>();
  #looked = 0;
  #reportedLooks = 0;

  add(value: unknown, uid: number): void {
    this.#looked += 1;
    const json = countedJson(value);
    if (json === null) return;
    this.#counts.add(json, 1, 0);
    let users = this.#users.get(json);
    if (users === undefined) {
      users = { low: 0, high: 0, reported: 0 };
      this.#users.set(json, users);
      if (this.#users.size > 2 * valueCountersMax) this.#dropUncounted();
    }
    const bit = uid & 63;
    if (bit < 32) users.low |= 1 << bit;
    else users.high |= 1 << (bit - 32);
  }

  hasNew(): boolean {
    return this.#frequent().some(({ users }) => users.reported === 0);
  }

  /** Null: nothing is frequent. */
  take(): Pick<SeenValues, 'looked' | 'values'> | null {
    const frequent = this.#frequent();
    if (frequent.length === 0) return null;
    const values = frequent.flatMap(({ item, count, users }) => {
      const fresh = count - users.reported;
      users.reported = Math.max(users.reported, count);
      return fresh > 0 ? [[item, fresh] as const] : [];
    });
    const looked = this.#looked - this.#reportedLooks;
    this.#reportedLooks = this.#looked;
    return { looked, values };
  }

  #frequent(): { readonly item: string; readonly count: number; readonly users: ValueUsers }[] {
    let covered = 0;
    for (const { count } of this.#counts.items()) covered += count;
    // Most values occur once or twice: of an id, a name or a time.
    if (covered < this.#looked * valuesCoveredMin) return [];
    const found = [];
    for (const { item, count } of this.#counts.items()) {
      const users = this.#users.get(item);
      if (users === undefined || count < this.#looked * valueShareMin) continue;
      if (bitsOf(users.low) + bitsOf(users.high) >= valueUsersMin) {
        found.push({ item, count, users });
      }
    }
    return found.sort((a, b) => b.count - a.count).slice(0, valuesPerAttributeMax);
  }

  #dropUncounted(): void {
    const counted = new Set([...this.#counts.items()].map(({ item }) => item));
    for (const item of this.#users.keys()) if (!counted.has(item)) this.#users.delete(item);
  }
}

/** Null: the value is not of a kind that is counted. */
function countedJson(value: unknown): string | null {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return isNumberPersonal(value) ? null : shortJson(value);
  if (typeof value !== 'string' || value.length > valueCharsMax || value === '') return null;
  return isShowable(value) && !isTextPersonal(value) ? JSON.stringify(value) : null;
}

function shortJson(value: number): string | null {
  const json = String(value);
  return json.length <= numberCharsMax ? json : null;
}

/** A longer number is a measurement, such as a place on the map. */
const numberCharsMax = 8;

function isShowable(text: string): boolean {
  return !unshowable.test(text);
}

const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u;

function bitsOf(bits: number): number {
  let left = bits >>> 0;
  let count = 0;
  for (; left !== 0; left = (left & (left - 1)) >>> 0) count += 1;
  return count;
}
