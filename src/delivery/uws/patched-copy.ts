/**
 * The patched copy of a front-end binary, on disk because only a file can be loaded. It lies beside the original where that
 * folder can be written, once for all processes; else each process makes its own in a private folder, and removes it when it
 * is loaded. A file is loaded only if its SHA-256 is the known one.
 */

import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Build, builds } from './builds.js';
import { patchGlibc } from './patch-glibc.js';

/**
 * What `load` returns for the patched copy of the binary at `path`.
 * @throws when the binary is not a known one, no folder takes the copy, or `load` refuses each copy
 */
export function loadPatchedCopy<T>(
  path: string,
  load: (copy: string) => T,
  privateRoots: readonly string[] = [tmpdir(), homedir()],
): T {
  const build = builds[basename(path)];
  if (build === undefined) throw new Error(`${path} is not a known build of the front end`);
  const beside = `${path.slice(0, -'.node'.length)}.patched.node`;
  if (isPatched(beside, build)) return load(beside);
  const bytes = patchedBytes(path, build);
  const causes: unknown[] = [];
  try {
    writeWhole(beside, bytes);
    return load(beside);
  } catch (cause) {
    causes.push(cause);
  }
  for (const root of privateRoots) {
    try {
      return loadPrivately(root, bytes, load);
    } catch (cause) {
      causes.push(cause);
    }
  }
  throw new AggregateError(causes, causes.map((cause) => (cause as Error).message).join('; '));
}

/** @throws when the original is not the known file, or the result not the known result */
export function patchedBytes(path: string, build: Build): Uint8Array {
  const original = readFileSync(path);
  if (sha256(original) !== build.original) {
    throw new Error(`${path} is not the file that was published under this name`);
  }
  const patched = patchGlibc(original);
  if (sha256(patched) !== build.patched) throw new Error(`patching ${path} gave another result`);
  return patched;
}

function isPatched(path: string, build: Build): boolean {
  try {
    return sha256(readFileSync(path)) === build.patched;
  } catch {
    return false;
  }
}

/** Several delivery processes start at once: each writes a file of its own, and each rename puts the same bytes there. */
function writeWhole(path: string, bytes: Uint8Array): void {
  const own = `${path}.${randomUUID()}`;
  try {
    writeFileSync(own, bytes, { flag: 'wx', mode: 0o644 });
    renameSync(own, path);
  } catch (cause) {
    rmSync(own, { force: true });
    throw cause;
  }
}

/** The folder is new, ours and closed to others (0700), so that no one can have put a file there, or put one there in between. */
function loadPrivately<T>(root: string, bytes: Uint8Array, load: (copy: string) => T): T {
  const folder = mkdtempSync(join(root, '.loadout-'));
  try {
    const copy = join(folder, 'uws.node');
    writeFileSync(copy, bytes, { flag: 'wx', mode: 0o600 });
    return load(copy);
  } finally {
    // What is loaded stays, without its name. Windows would keep the file, but patches none.
    rmSync(folder, { recursive: true, force: true });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
