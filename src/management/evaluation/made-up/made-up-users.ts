/**
 * Makes up users to try an edit on, from the conditions that it is about (D69). Each rule gets a share of users who match it,
 * with the values at which its tests change their results; the others have such values in any combination. They are no
 * sample of real players: how many of them a rule admits says nothing about how many players it does. Their ids are
 * ordinary, so the buckets of an A/B test are as evenly taken as by players. Pure: the same input makes the same users.
 */

import { bucketCount, uidOf } from '../../../content/bucket.js';
import type { Condition } from '../../../content/condition/condition.js';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../content/evaluation-context.js';
import { getOrAdd } from '../../get-or-add.js';
import {
  madeUpAnonymousMax,
  madeUpAttributesMax,
  madeUpMembersMax,
} from '../../limits/evaluation.js';
import { contextOf } from '../read-context.js';
import { type AttributeValues, anyUserId, setAttribute } from './attribute-values.js';
import { type AllowedValues, ConditionSolver, type Target } from './condition-solver.js';
import { absent, isSmall, neighbouringVersions } from './interesting-values.js';
import { SeededRandom } from './seeded-random.js';

/** As `JSON.parse` gave it, and compiled. */
export interface AskedCondition {
  readonly condition: unknown;
  readonly holds: Condition;
}

export interface MakeUpInput {
  /** Of all rules of both sides; one that is twice in it counts once. */
  readonly conditions: readonly AskedCondition[];
  /** So many of them, the first ones, are used as often as all of them together: those that the edit changes. */
  readonly firstOnes?: number;
  /** Minimum app versions of the lines of both sides. */
  readonly versions: readonly string[];
  /** User contexts of the environment's sample users, as `JSON.parse` gave them. */
  readonly samples: readonly unknown[];
  /** By name of the attribute values that requests carry. */
  readonly seen?: readonly (readonly [name: string, values: readonly unknown[]])[];
  readonly count: number;
}

export interface MadeUpUsers {
  /** Each with a user id of their own. */
  readonly users: readonly EvaluationContext[];
  /** Without a user id, so all in bucket 0: apart from the others, whose buckets are even. */
  readonly withoutUserId: readonly EvaluationContext[];
}

interface MadeUp {
  u: string | null;
  readonly p: Record<string, unknown>;
  v: string | null;
}

/** Of ten users, so many match a rule that was chosen for them, and one is like a sample user. */
const directedOfTen = 6;
const triesPerUser = 4;
/** One attribute in so many is left out, in users that no rule was chosen for. */
const absentOneIn = 5;
/** Ids that are made to find some of a certain bucket: a thousand for each, and 30 ms for all. */
const idsMadeMax = 200_000;

export function makeUpUsers(input: MakeUpInput): MadeUpUsers {
  return new UserMaker(input).make();
}

class UserMaker {
  readonly #count: number;
  readonly #random = new SeededRandom(1);
  readonly #solver: ConditionSolver;
  readonly #targets: { readonly parts: Target; readonly holds: Condition }[] = [];
  readonly #samples: readonly EvaluationContext[];
  /** So many of the first targets come every second time. */
  #firstOnes = 0;
  readonly #ids = new Set<string>();
  /** Ids that were made on the way to one of another bucket. */
  readonly #idsOfBucket = new Map<number, string[]>();
  #idsMade = 0;

  constructor(input: MakeUpInput) {
    const { conditions, versions, samples, count, firstOnes = 0 } = input;
    this.#count = count;
    this.#solver = new ConditionSolver(this.#random);
    const seen = new Set<string>();
    let membersLeft = madeUpMembersMax;
    for (const [index, { condition, holds }] of conditions.entries()) {
      const json = JSON.stringify(condition);
      if (seen.has(json)) continue;
      seen.add(json);
      const members = countMembers(condition);
      if (members > membersLeft) continue;
      membersLeft -= members;
      if (index < firstOnes) this.#firstOnes++;
      this.#targets.push({ parts: this.#solver.prepare(condition), holds });
    }
    const callers = samples.map(contextOf);
    this.#samples = callers.filter((caller) => typeof caller !== 'string');
    this.#addSampleValues();
    this.#addSeenValues(new Map(input.seen ?? []));
    const appVersions = this.#solver.values('@v');
    for (const version of versions) {
      for (const near of [version, ...neighbouringVersions(version)]) appVersions.add(near);
    }
  }

  make(): MadeUpUsers {
    const users: EvaluationContext[] = [];
    const withoutUserId: EvaluationContext[] = [];
    const anonymousMax = Math.min(madeUpAnonymousMax, Math.max(1, Math.ceil(this.#count / 20)));
    const directed = Math.max(
      Math.ceil((this.#count * directedOfTen) / 10),
      Math.min(this.#count, (this.#firstOnes > 0 ? 2 : 1) * this.#targets.length),
    );
    let asked = 0;
    for (let number = 0; number < this.#count; number++) {
      // Spread evenly over the list, so that a part of it is as mixed as the whole.
      const isDirected =
        Math.floor(((number + 1) * directed) / this.#count) >
        Math.floor((number * directed) / this.#count);
      let made: MadeUp | null = null;
      if (isDirected && this.#targets.length > 0) made = this.#match(asked++);
      if (made?.u === '') {
        if (withoutUserId.length < anonymousMax) withoutUserId.push(contextFrom('', made));
        made = null;
      }
      made ??= this.#any(number);
      const id = made.u ?? this.#freshId();
      this.#ids.add(id);
      users.push(contextFrom(id, made));
    }
    for (let at = 0; withoutUserId.length < anonymousMax && at < users.length; at++) {
      const { p, v } = users[at] as EvaluationContext;
      withoutUserId.push(makeEvaluationContext('', p, v === '' ? null : v));
    }
    return { users, withoutUserId };
  }

  /** A user who matches the next of the rules; null: none was found. */
  #match(asked: number): MadeUp | null {
    const ofFirst = this.#firstOnes > 0 && asked % 2 === 0;
    const turn = this.#firstOnes > 0 ? asked >> 1 : asked;
    const target = this.#targets[turn % (ofFirst ? this.#firstOnes : this.#targets.length)];
    if (target === undefined) return null;
    for (let tried = 0; tried < triesPerUser; tried++) {
      const allowed = this.#solver.solve(target.parts);
      if (allowed === null) return null;
      // What other attributes are may be in the way: the last tries do without them.
      const made = this.#choose(allowed, tried < triesPerUser / 2);
      if (made === null) continue;
      const caller = contextFrom(made.u ?? anyUserId, made);
      if (target.holds(caller) && !caller.isOverworked) return made;
    }
    return null;
  }

  #choose(allowed: AllowedValues, withOthers: boolean): MadeUp | null {
    const u = this.#chooseId(allowed);
    if (u === undefined) return null;
    const made: MadeUp = { u, p: {}, v: null };
    for (const [attribute, places] of allowed) {
      if (attribute === '@u' || attribute === '@mod') continue;
      const value = this.#solver.values(attribute).values[this.#random.pick(places)];
      if (attribute === '@v') made.v = (value ?? null) as string | null;
      else if (!setAttribute(made.p, attribute, value)) return null;
    }
    if (!allowed.has('@v')) made.v = this.#anyVersion();
    if (withOthers) this.#fill(made.p, allowed);
    return made;
  }

  /** Null: any id that is not taken; undefined: no id fits. */
  #chooseId(allowed: AllowedValues): string | null | undefined {
    const buckets = allowed.get('@mod');
    const places = allowed.get('@u');
    if (buckets === undefined && places === undefined) return null;
    const { values } = this.#solver.values('@u');
    const ids = places === undefined ? [anyUserId] : places.map((place) => values[place] as string);
    const wanted = buckets === undefined ? null : new Set(buckets);
    const fits = (id: string): boolean => wanted === null || wanted.has(uidOf(id) % bucketCount);
    if (ids.includes(anyUserId))
      return buckets === undefined ? null : this.#idIn(this.#random.pick(buckets));
    const named = ids.filter((id) => id !== '' && id !== anyUserId && fits(id));
    // Each user is one of their own, as long as there are further ids.
    const unused = named.filter((id) => !this.#ids.has(id));
    if (unused.length > 0) return this.#random.pick(unused);
    if (named.length > 0) return this.#random.pick(named);
    return ids.includes('') && fits('') ? '' : undefined;
  }

  /** A user that no rule was chosen for. */
  #any(number: number): MadeUp {
    const sample =
      number % 10 === 0 && this.#samples.length > 0 ? this.#random.pick(this.#samples) : null;
    if (sample !== null) {
      return { u: null, p: { ...sample.p }, v: sample.v === '' ? null : sample.v };
    }
    const made: MadeUp = { u: null, p: {}, v: this.#anyVersion() };
    this.#fill(made.p, noValues);
    return made;
  }

  /** Gives values to the attributes that are not named. */
  #fill(p: object, named: AllowedValues): void {
    let left = madeUpAttributesMax;
    for (const [attribute, values] of this.#solver.attributes) {
      if (named.has(attribute) || attribute.startsWith('@')) continue;
      if (left-- === 0) return;
      if (this.#random.below(absentOneIn) === 0) continue;
      setAttribute(p, attribute, this.#random.pick(values.values));
    }
  }

  #idIn(bucket: number): string {
    let ids = this.#idsOfBucket.get(bucket) ?? [];
    while (ids.length === 0 && this.#idsMade < idsMadeMax) {
      const id = this.#freshId();
      const other = uidOf(id) % bucketCount;
      getOrAdd(this.#idsOfBucket, other, () => []).push(id);
      ids = this.#idsOfBucket.get(bucket) ?? [];
    }
    // The last one is used again and again: there are no further ones.
    return (ids.length > 1 || this.#idsMade < idsMadeMax ? ids.pop() : ids[0]) ?? anyUserId;
  }

  #anyVersion(): string | null {
    const { values } = this.#solver.values('@v');
    return (this.#random.pick(values) ?? null) as string | null;
  }

  #freshId(): string {
    for (;;) {
      const id = `made-up-${++this.#idsMade}`;
      if (!this.#ids.has(id)) return id;
    }
  }

  /** Values that sample users have are as likely as those of the conditions. */
  #addSampleValues(): void {
    for (const { u, p, v } of this.#samples) {
      for (const [attribute, values] of this.#solver.attributes) {
        if (attribute === '@u') values.add(u);
        else if (!attribute.startsWith('@')) addSampleValue(values, p);
      }
      if (v !== '') this.#solver.values('@v').add(v);
    }
  }

  /** So are those of requests, for attributes that a condition is on. */
  #addSeenValues(seen: ReadonlyMap<string, readonly unknown[]>): void {
    for (const [attribute, values] of this.#solver.attributes) {
      for (const value of seen.get(attribute) ?? []) values.add(value);
    }
  }
}

/** Members of all objects in a condition: twice as many as it has tests. Its levels are limited. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += countMembers(inner);
  return count;
}

const noValues: AllowedValues = new Map();

function addSampleValue(values: AttributeValues, p: unknown): void {
  let value = p;
  for (const name of values.attribute.split('.')) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isThere) return;
    value = (value as Record<string, unknown>)[name];
  }
  if (value !== absent && isSmall(value)) values.add(value);
}

function contextFrom(u: string, { p, v }: MadeUp): EvaluationContext {
  return makeEvaluationContext(u, p, v);
}
