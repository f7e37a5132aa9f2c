/**
 * The private copy of the last good certificate and key, in the data folder: what delivery processes read, so that one that
 * is started again does not depend on what the operator's files hold at that moment. One file, replaced whole.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import type { DataFolder } from '../store/data-folder.js';
import {
  type CertificatePair,
  CertificateUnusable,
  type PairFiles,
  parsePair,
} from './certificate-pair.js';

export class KeptPair {
  readonly path: string;
  readonly #folder: DataFolder;
  /** First line of the file: which of the operator's files it is a copy of. */
  readonly #origin: string;

  constructor(folder: DataFolder, files: PairFiles) {
    this.path = folder.certificatePath;
    this.#folder = folder;
    const paths = JSON.stringify([resolve(files.cert), resolve(files.key)]);
    this.#origin = `copy of ${createHash('sha256').update(paths).digest('hex')}\n`;
  }

  /** What a server that did not end in order has left, made of the same files; null: nothing. */
  read(): CertificatePair | null {
    try {
      const text = readFileSync(this.path, 'utf8');
      if (!text.startsWith(this.#origin)) return null;
      return parsePair(text, text, { cert: this.path, key: this.path });
    } catch (error) {
      if (error instanceof CertificateUnusable) return null;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** @param pem of a pair, written beside the last good one @returns where it is */
  writeCandidate(pem: string): string {
    const path = this.#folder.scratchPath('tls');
    const file = openSync(path, 'wx', 0o600);
    try {
      writeSync(file, `${this.#origin}${pem}`);
      fsyncSync(file);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
    return path;
  }

  /** The candidate is the last good pair from now on. */
  accept(candidate: string): void {
    renameSync(candidate, this.path);
  }
}
