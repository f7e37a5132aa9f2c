/** The store's secret, which tokens of streams are sealed with (D82): on every node, and after restarts. */
import { randomBytes } from 'node:crypto';

const bytes = 32;

/** base64url. Delivery alone reads it: it is in no response, log or export. */
export function randomStreamKey(): string {
  return randomBytes(bytes).toString('base64url');
}
