/** Places users in A/B-test groups: the stable integer of a user id, and the group of a salted test. Pure. */

import xxhash from 'xxhash-addon';
import { xxh32 } from './xxh32.js';

/** Groups are numbered 0 to 999: SPEC takes the last three digits of the user's integer. */
export const groupCount = 1000;

// User ids are short, and those go through the scratch buffer. Around 2,000 bytes the native hash has caught up,
// call and copy included, so a longer id (a body may hold one of 64 KiB) takes that way and the scratch never grows.
const scratchUnitsMax = 2048;
const utf8BytesPerUnitMax = 3;
const scratch = new Uint8Array(scratchUnitsMax * utf8BytesPerUnitMax);
const encoder = new TextEncoder();

/**
 * The user's integer: XXH32 (seed 0) of the UTF-8 bytes of `u`, unsigned. A lone surrogate counts as U+FFFD, as in
 * every UTF-8 encoder.
 */
export function uidOf(u: string): number {
  if (u.length <= scratchUnitsMax) {
    return xxh32(scratch, encoder.encodeInto(u, scratch).written);
  }
  return xxhash.XXHash32.hash(Buffer.from(u)).readUInt32BE(0);
}

/** The group, 0 to 999, of a user in a test: `caller.mod` without a salt, else that of the salted id `salt:u`. */
export function groupOf(
  salt: string | null,
  caller: { readonly u: string; readonly mod: number },
): number {
  return salt === null ? caller.mod : uidOf(`${salt}:${caller.u}`) % groupCount;
}
