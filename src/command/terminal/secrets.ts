/** The secrets of the command line. They come from the environment only: a flag would show in `ps`. */

import { CommandFailure } from './failure.js';
import { io } from './io.js';

type SecretName = 'LOADOUT_TOKEN' | 'LOADOUT_ADMIN_TOKEN' | 'LOADOUT_WEBHOOK_SECRET';

const printableAscii = /^[\x21-\x7e]+$/;

/** The secret without surrounding white space, or null when it is not set or empty. */
export function readSecret(name: SecretName): string | null {
  const value = (io().env[name] ?? '').trim();
  if (value === '') return null;
  if (!printableAscii.test(value)) {
    throw new CommandFailure(`${name} holds characters that no token has.`);
  }
  return value;
}
