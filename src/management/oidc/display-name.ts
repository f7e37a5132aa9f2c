/** What a person who signs in through the OpenID provider is called here. Pure. */
import type { Claims } from './claimed-groups.js';

const nameCharsMax = 128;
/** Room for the number that distinguishes people of one name. */
const suffixChars = 12;

/**
 * Never a person's name: LOADOUT_ADMIN_TOKEN makes the user `owner` an owner, and `system` is the server itself in the
 * audit. A person who chooses their name at the provider must not become either.
 */
const reserved: readonly string[] = ['owner', 'system'];

/** Controls, and what a person does not see: they would make one name look like another. */
const notShown = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Of a pair; the cut may leave one as well. */
const halfCharacters = /\p{Cs}/gu;
const lineEnds = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
const blanks = /\s+/g;

/** @returns the names to try, the best first; the sequence has no end */
export function* displayNames(claims: Claims): Generator<string> {
  const name = baseName(claims);
  if (!reserved.includes(name.normalize('NFKC').toLowerCase())) yield name;
  for (let count = 2; ; count++) yield `${name} (${count})`;
}

function baseName(claims: Claims): string {
  const given = ['name', 'preferred_username', 'email', 'sub'].map((claim) => plain(claims[claim]));
  return given.find((name) => name !== '' && name !== '.' && name !== '..') ?? 'Unnamed';
}

function plain(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, 4 * nameCharsMax);
  return text
    .normalize('NFC')
    .replaceAll(lineEnds, ' ')
    .replaceAll(notShown, '')
    .replaceAll(blanks, ' ')
    .trim()
    .slice(0, nameCharsMax - suffixChars)
    .replaceAll(halfCharacters, '')
    .trim();
}
