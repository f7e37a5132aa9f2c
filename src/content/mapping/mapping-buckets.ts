/** Reads a range of buckets: the groups of a variant, the slice of a rule. */

import { type BucketRange, bucketCount } from '../bucket.js';
import type { MappingValue } from './mapping-object.js';

/** Null, and an issue, for anything but [first, last]. */
export function readBuckets(member: MappingValue): BucketRange | null {
  const range = member.parse();
  if (!Array.isArray(range) || range.length !== 2 || !range.every(isBucket)) {
    member.reject(`must be [first, last], two whole numbers from 0 to ${bucketCount - 1}`);
    return null;
  }
  const [from, to] = range as [number, number];
  if (from > to) {
    member.reject('must have its lower group first');
    return null;
  }
  return [from, to];
}

function isBucket(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < bucketCount;
}
