/** Signs messages as Standard Webhooks 1.0.0 specifies: HMAC-SHA256 with a secret that the receiver has as well (D77). */
import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';
/** 192 bits; the standard asks for 24 to 64 bytes. */
const secretBytes = 24;

/** A secret of 192 random bits. */
export function makeSigningSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

/**
 * The value of `webhook-signature`: one signature per secret.
 * @param id of the message, the same in every attempt
 * @param atSeconds of the attempt, as in `webhook-timestamp`
 */
export function sign(
  secrets: readonly string[],
  id: string,
  atSeconds: number,
  body: string,
): string {
  return secrets
    .map((secret) => {
      const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${atSeconds}.${body}`);
      return `v1,${mac.digest('base64')}`;
    })
    .join(' ');
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(secretPrefix.length), 'base64');
}
