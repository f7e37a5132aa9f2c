/** The data folder of one server: where its files are, and the lock that keeps a second server out (D4). */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { eventsFolderName } from '../../published/event-files.js';
import { BetterSqlite3, type Database } from '../../published/sqlite-driver.js';

/** The folder is somebody else's, or cannot be used. The message is for the operator. */
export class DataFolderUnusable extends Error {
  readonly code = 'data_folder_unusable';
}

export class DataFolder {
  readonly path: string;
  readonly storePath: string;
  readonly publishedPath: string;
  /** The certificate and key that delivery processes read, with --tls-cert. */
  readonly certificatePath: string;
  /** Events of players, until they are analysed or sent on. */
  readonly eventsPath: string;
  /** Those that follow this server, for its next start. */
  readonly followersPath: string;
  readonly #lock: Database;

  /**
   * Makes the folder where there is none, and takes its lock. From then on this process makes files that only its user
   * can read: tokens and keys are in there, if only as hashes, and the folder may have been made for others to enter.
   * @throws DataFolderUnusable
   */
  constructor(path: string) {
    this.path = resolve(path);
    this.storePath = join(this.path, 'store.db');
    this.publishedPath = join(this.path, 'published.db');
    this.certificatePath = join(this.path, 'tls.pem');
    this.eventsPath = join(this.path, eventsFolderName);
    this.followersPath = join(this.path, 'followers.json');
    process.umask(0o077);
    try {
      mkdirSync(this.path, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new DataFolderUnusable(`The data folder ${this.path} cannot be made.`, { cause });
    }
    this.#lock = lockOf(join(this.path, 'lock.db'), this.path);
    this.#removeScratch();
  }

  /** A name for a file that is only needed for a while; what a crash leaves of it goes when the folder is next opened. */
  scratchPath(purpose: string): string {
    return join(this.path, `${purpose}-${randomBytes(8).toString('hex')}${scratchMark}`);
  }

  /** Tells this server from others that share its store; made when it is first asked for. */
  nodeId(): string {
    const path = this.#nodeIdPath;
    // Empty after a crash of the machine: it is as good as none.
    const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    if (kept !== '') return kept;
    const id = randomUUID();
    this.keepNodeId(id);
    return id;
  }

  /** The folder is a copy of one whose server uses its id: this one has another from now on. */
  keepNodeId(id: string): void {
    const scratch = this.scratchPath('node-id');
    writeFileSync(scratch, `${id}\n`, { flush: true });
    renameSync(scratch, this.#nodeIdPath);
  }

  /**
   * Writes the owner's token to a file that only the server's user can read. One that is there is of an earlier store,
   * or of a start that failed, and gives access to nothing.
   * @returns its path
   * @throws DataFolderUnusable
   */
  keepOwnerToken(token: string): string {
    const path = join(this.path, 'owner-token');
    try {
      rmSync(path, { force: true });
      // Made here and now, or not at all: never through a link that somebody has put there.
      writeFileSync(path, `${token}\n`, { flag: 'wx', mode: 0o600, flush: true });
    } catch (cause) {
      const message = `The owner's token cannot be written to ${path}; make room for that file, then start again.`;
      throw new DataFolderUnusable(message, { cause });
    }
    return path;
  }

  get #nodeIdPath(): string {
    return join(this.path, 'node-id');
  }

  release(): void {
    this.#lock.close();
  }

  #removeScratch(): void {
    for (const name of readdirSync(this.path)) {
      if (name.includes(scratchMark)) rmSync(join(this.path, name), { force: true });
    }
  }
}

/** Not the end of the name: SQLite's own files beside it have endings of theirs. */
export const scratchMark = '.scratch';

/*
 * SQLite's own file lock, held by an open exclusive transaction: the kernel lets go of it however the
 * process ends, which a file with a process id in it does not.
 */
function lockOf(path: string, folder: string): Database {
  try {
    const db = new BetterSqlite3(path, { timeout: 0 });
    chmodSync(path, 0o600);
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (cause) {
    const code = cause instanceof BetterSqlite3.SqliteError ? cause.code : '';
    if (code.startsWith('SQLITE_BUSY')) {
      const message = `Another loadout serve uses the data folder ${folder}; stop it, or name another folder with --data.`;
      throw new DataFolderUnusable(message, { cause });
    }
    const full = code.startsWith('SQLITE_FULL') ? ': its disk is full' : '';
    throw new DataFolderUnusable(`The data folder ${folder} cannot be written to${full}.`, {
      cause,
    });
  }
}

/** What was written to the file, or renamed in the folder, is on the disk when this returns. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
