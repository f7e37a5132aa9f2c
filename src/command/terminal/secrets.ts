/**
 * The secrets of the command line. They come from the environment, or from a file that it names (`LOADOUT_TOKEN_FILE`), as
 * orchestrators mount them: a flag would show in `ps`.
 */
import { readFileSync, statSync } from 'node:fs';
import { CommandFailure, misuse, unreadable } from './failure.js';
import { io } from './io.js';

type SecretName =
  | 'LOADOUT_TOKEN'
  | 'LOADOUT_ADMIN_TOKEN'
  | 'LOADOUT_OIDC_CLIENT_SECRET'
  | 'LOADOUT_WEBHOOK_SECRET'
  | 'LOADOUT_WEBHOOK_URL';

const printableAscii = /^[\x21-\x7e]+$/;
/** The longest secret is the address of a database with several hosts. */
const fileBytesMax = 64 * 1024;

/**
 * The secret without surrounding white space, or null when it is not set or empty.
 * @throws CommandFailure
 */
export function readSecret(name: SecretName): string | null {
  const given = (io().env[name] ?? '').trim();
  const value = readNamedFile(name, given === '' ? null : name) ?? given;
  return value === '' ? null : checkSecret(value, name);
}

/**
 * @param what names the secret in the message, which never repeats it
 * @throws CommandFailure when no header can hold it
 */
export function checkSecret(value: string, what: string): string {
  if (!printableAscii.test(value)) {
    throw new CommandFailure(`${what} holds characters that no token has.`);
  }
  return value;
}

/**
 * What is in the file that the variable `<name>_FILE` names, without surrounding white space; null: it names none.
 * @param other where the same was given already; null: nowhere
 * @throws CommandFailure
 */
export function readNamedFile(name: string, other: string | null): string | null {
  const variable = `${name}_FILE`;
  const path = io().env[variable] ?? '';
  if (path === '') return null;
  if (other !== null)
    throw misuse(`${other} and ${variable} both give one value: give one of them.`);
  return readSecretFile(path, variable);
}

/**
 * @param what names the file in messages, which never repeat what is in it
 * @throws CommandFailure when it cannot be read, is empty, or is no file of a secret
 */
export function readSecretFile(path: string, what: string): string {
  let text: string;
  try {
    if (statSync(path).size > fileBytesMax) {
      throw new CommandFailure(`${what}: ${path} is larger than ${fileBytesMax / 1024} KiB.`);
    }
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw error instanceof CommandFailure ? error : unreadable(`${what}: ${path}`, error);
  }
  if (text === '') throw new CommandFailure(`${what}: ${path} is empty.`);
  return text;
}
