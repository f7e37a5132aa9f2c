/**
 * Tokens that followers may come with: a file of the operator's with a name and the SHA-256 of a token on each line. It is read
 * again when it changes, so that a line which is removed revokes its token within a second.
 */
import { readFileSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { acceptedTokensFileBytesMax, acceptedTokensMs } from '../limits/follow.js';
import { ServeRejected } from '../serve-rejected.js';
import { hashSecret, makeSecret } from '../store/secret.js';

const acceptedLine = /^(\S+)\s+([0-9a-f]{64})$/;
const tokenPrefix = 'lof_';

/** A token for a follower, and the line that accepts it. Only the line needs to be kept by the parent. */
export function makeFollowToken(name: string): { readonly token: string; readonly line: string } {
  const token = makeSecret(tokenPrefix);
  return { token, line: `${name} ${hashSecret(token)}` };
}

export class AcceptedTokens {
  readonly #path: string;
  readonly #log: Pick<Logger, 'warn' | 'info'>;
  /** By hash, the names. */
  #names: ReadonlyMap<string, string>;
  #version = '';
  #lookedMs = performance.now();

  /** @throws ServeRejected when the file cannot be read, or has a line that is none */
  constructor(path: string, log: Pick<Logger, 'warn' | 'info'>) {
    this.#path = path;
    this.#log = log;
    try {
      this.#version = versionOf(path);
      this.#names = read(path);
    } catch (error) {
      throw new ServeRejected(`--follow-accept ${path}: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** The name of the token's line; null: it is not accepted. */
  nameOf(token: string): string | null {
    this.#look();
    return this.#names.get(hashSecret(token)) ?? null;
  }

  /** A file that is gone or damaged accepts nobody: it may have been meant. */
  #look(): void {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs < acceptedTokensMs) return;
    this.#lookedMs = nowMs;
    let version = '';
    try {
      version = versionOf(this.#path);
      if (version === this.#version) return;
      this.#names = read(this.#path);
      this.#log.info(
        { event: 'follow_tokens_read', count: this.#names.size },
        'the tokens of followers were read again',
      );
    } catch (error) {
      if (this.#names.size > 0 || version !== this.#version) {
        this.#log.warn(
          { event: 'follow_tokens_unreadable', reason: reasonOf(error) },
          'the tokens of followers cannot be read: none is accepted',
        );
      }
      this.#names = new Map();
    }
    this.#version = version;
  }
}

function versionOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path);
  if (size > acceptedTokensFileBytesMax) throw new Error('it is too large');
  return `${mtimeMs} ${size} ${ino}`;
}

function read(path: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [at, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    const line = text.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, hash] = acceptedLine.exec(line) ?? [];
    if (name === undefined || hash === undefined) {
      throw new Error(
        `line ${at + 1} is not a name and a SHA-256, as "loadout follow token" prints them`,
      );
    }
    names.set(hash, name);
  }
  return names;
}

/** Without anything that the file holds. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
