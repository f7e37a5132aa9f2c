/** Places users in the buckets of A/B tests: the stable integer of a user id, and the bucket of a salted test. Pure. */

import xxhash from 'xxhash-addon';
import { copyAscii, loopUnitsMax, newScratch, scratchUnitsMax, writeText } from './text-scratch.js';
import { xxh32 } from './xxh32.js';

/** Groups are numbered 0 to 999: the last three digits of the user's integer (docs/targeting.md). */
export const bucketCount = 1000;

/** Buckets, both ends inclusive, 0 to 999. */
export type BucketRange = readonly [first: number, last: number];

/**
 * The user's integer: XXH32 (seed 0) of the UTF-8 bytes of `u`, unsigned; 0 without a user id. A lone surrogate counts
 * as U+FFFD, as in every UTF-8 encoder.
 */
export function uidOf(u: string): number {
  return u === '' ? 0 : hashOf(u);
}

/**
 * The bucket, 0 to 999, of a user in a test: `caller.mod` without a salt, else that of the salted id `salt:u`. A caller
 * without a user id is in bucket 0 of every test: a salt must not spread them as if they were one user.
 */
export function bucketOf(
  salt: string | null,
  caller: { readonly u: string; readonly mod: number },
): number {
  if (salt === null || caller.u === '') return caller.mod;
  return hashOfSalted(salt, caller.u) % bucketCount;
}

/** Of `salt:u`. Short ones are copied side by side: joining the texts first takes 172 ns in all instead of 124. */
function hashOfSalted(salt: string, u: string): number {
  const length = salt.length + 1 + u.length;
  const isAscii =
    length <= loopUnitsMax && copyAscii(scratch, 0, salt) && copyAscii(scratch, salt.length + 1, u);
  if (!isAscii) return hashOf(`${salt}:${u}`);
  scratch[salt.length] = colon;
  return xxh32(scratch, length);
}

const colon = 0x3a;
const scratch = newScratch();

/**
 * User ids are short, and those go through the scratch. Around 2,000 bytes the native hash has caught up, call and copy
 * included, so a longer id (a body may hold one of 64 KiB) takes that way.
 */
function hashOf(text: string): number {
  if (text.length <= scratchUnitsMax) return xxh32(scratch, writeText(scratch, text));
  return xxhash.XXHash32.hash(Buffer.from(text)).readUInt32BE(0);
}
