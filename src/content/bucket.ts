/** Places users in the buckets of A/B tests: the stable integer of a user id, and the bucket of a salted test. Pure. */

import xxhash from 'xxhash-addon';
import { xxh32 } from './xxh32.js';

/** Groups are numbered 0 to 999: the last three digits of the user's integer (docs/targeting.md). */
export const bucketCount = 1000;

// User ids are short, and those go through the scratch buffer. Around 2,000 bytes the native hash has caught up,
// call and copy included, so a longer id (a body may hold one of 64 KiB) takes that way and the scratch never grows.
const scratchUnitsMax = 2048;
const utf8BytesPerUnitMax = 3;
const scratch = new Uint8Array(scratchUnitsMax * utf8BytesPerUnitMax);
const encoder = new TextEncoder();

/** Up to here a loop copies an id faster than a call of the encoder does: 24 characters take 20 ns instead of 60. */
const loopUnitsMax = 64;

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
  const isAscii = length <= loopUnitsMax && copyAscii(salt, 0) && copyAscii(u, salt.length + 1);
  if (!isAscii) return hashOf(`${salt}:${u}`);
  scratch[salt.length] = colon;
  return xxh32(scratch, length);
}

const colon = 0x3a;

function hashOf(text: string): number {
  if (text.length <= scratchUnitsMax) {
    const isAscii = text.length <= loopUnitsMax && copyAscii(text, 0);
    return xxh32(scratch, isAscii ? text.length : encoder.encodeInto(text, scratch).written);
  }
  return xxhash.XXHash32.hash(Buffer.from(text)).readUInt32BE(0);
}

/** Writes `text` to the scratch from `from` on; false: it is not all ASCII, and what was written is useless. */
function copyAscii(text: string, from: number): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return false;
    scratch[from + at] = code;
  }
  return true;
}
