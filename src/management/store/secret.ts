/** Makes and hashes credentials: API keys and admin tokens. Only hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';

/** 160 bits: not to be guessed, and short enough for a header and a constant in a game. */
const secretBytes = 20;

/** Random text of 160 bits behind a readable prefix, so that a leaked one is recognised in a log. */
export function makeSecret(prefix: string): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64url')}`;
}

/**
 * SHA-256, lower-case hex. A fast hash is right here: the input is random and long, so that there is no
 * dictionary to try, and the time of a look-up by this hash reveals nothing about a stored secret.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The first characters, by which people recognise secrets; what they leave out still has over 100 bits. */
export function prefixOf(secret: string): string {
  return secret.slice(0, secret.startsWith('lo') ? 8 : 4);
}
