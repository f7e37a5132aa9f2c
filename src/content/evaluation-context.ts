/** Who is asking: the user context of a request, with what every rule needs to know of it worked out once. */

import { bucketCount, bucketOf, uidOf } from './bucket.js';
import type { DerivedTexts } from './condition/derived-texts.js';
import { characterWork, evaluationWorkMax, shortTextUnits } from './evaluation-work.js';
import { utcOffsetMin, utcOffsetOf } from './utc-offset.js';
import { NO_VERSION, parseVersion, type Version } from './version.js';

/** The caller's bucket under one salt. */
interface DrawnBucket {
  readonly salt: string;
  readonly bucket: number;
  readonly next: DrawnBucket | null;
}

/** Below every offset: nothing has asked for it, and it is not there. */
const UNREAD = utcOffsetMin - 1;
const MISSING = utcOffsetMin - 2;

export class EvaluationContext {
  /** User id; '' when none was sent. */
  readonly u: string;
  /** Attributes, as `JSON.parse` gave them. */
  readonly p: Readonly<Record<string, unknown>>;
  /** App version as it was sent; '' when none was. */
  readonly v: string;
  /** `v`, packed; `NO_VERSION` when none was sent. */
  readonly version: Version;
  /** The user's stable integer, unsigned 32 bits; 0 without a user id. */
  readonly uid: number;
  /** The user's bucket, 0 to 999. */
  readonly mod: number;
  /** What the rules may still do for this request; see evaluation-work.ts. */
  workLeft: number;
  /** Texts made of its attributes, each once; null until one is needed. */
  derived: DerivedTexts | null = null;
  /** Of the releases, layers and the holdout that the request has met so far. */
  #drawnBuckets: DrawnBucket | null = null;
  #utcOffset = UNREAD;

  constructor(
    u: string,
    p: Readonly<Record<string, unknown>>,
    v: string,
    version: Version,
    workMax: number = evaluationWorkMax,
  ) {
    this.u = u;
    this.p = p;
    this.v = v;
    this.version = version;
    this.uid = uidOf(u);
    this.mod = this.uid % bucketCount;
    this.workLeft = workMax;
  }

  /** The rules needed more work for these attributes than a request may cause: nothing they found counts. */
  get isOverworked(): boolean {
    return this.workLeft < 0;
  }

  /**
   * The bucket in the ramp of a release, in a layer or in the holdout, 0 to 999 (`bucketOf`): hashed once, however many content
   * items and rules ask for it.
   */
  bucketUnder(salt: string): number {
    for (let known = this.#drawnBuckets; known !== null; known = known.next) {
      if (known.salt === salt) return known.bucket;
    }
    if (this.u.length > shortTextUnits) this.workLeft -= this.u.length * characterWork;
    const bucket = bucketOf(salt, this);
    this.#drawnBuckets = { salt, bucket, next: this.#drawnBuckets };
    return bucket;
  }

  /** Minutes that the user's clock is ahead of UTC, -720 to 840; 0 when `p.utcOffset` does not say (`lacksUtcOffset`). */
  get utcOffset(): number {
    if (this.#utcOffset === UNREAD) this.#utcOffset = utcOffsetOf(this.p) ?? MISSING;
    return this.#utcOffset === MISSING ? 0 : this.#utcOffset;
  }

  /** A rule depended on the user's local time, and `p.utcOffset` did not give it: UTC took its place. */
  get lacksUtcOffset(): boolean {
    return this.#utcOffset === MISSING;
  }

  /** Forgets what can be made again: for a context that is kept between evaluations. */
  forgetDerived(): void {
    this.derived = null;
    this.#drawnBuckets = null;
  }
}

/**
 * Makes the caller of one request. `v` is null, empty or text that the edge has already found to be of the form X.Y.Z;
 * any other text is taken for none.
 */
export function makeEvaluationContext(
  u: string,
  p: Readonly<Record<string, unknown>>,
  v: string | null,
  workMax: number = evaluationWorkMax,
): EvaluationContext {
  const version = v === null ? null : parseVersion(v);
  return version === null
    ? new EvaluationContext(u, p, '', NO_VERSION, workMax)
    : new EvaluationContext(u, p, v ?? '', version, workMax);
}
