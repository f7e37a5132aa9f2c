/**
 * Loads a bundled front-end binary, or its patched copy, if its SHA-256 is the known one. The copy is on disk because only a
 * file can be loaded. It lies beside the original where that
 * folder can be written, once for all processes; else each process makes its own in a private folder, and removes it when it
 * is loaded.
 */

import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Build } from './builds.js';
import { patchGlibc } from './patch-glibc.js';

/**
 * What `load` returns for the file itself.
 * @throws when it is not the known one, or what `load` throws
 */
export function loadOriginal<T>(path: string, build: Build, load: (path: string) => T): T {
  readKnown(path, build);
  return load(path);
}

/**
 * What `load` returns for the patched copy of the binary at `path`.
 * @throws when the binary is not the known one, no folder takes the copy, or `load` rejects each copy
 */
export function loadPatchedCopy<T>(
  path: string,
  build: Build,
  load: (copy: string) => T,
  privateRoots: readonly string[] = [tmpdir(), homedir()],
): T {
  const causes: unknown[] = [];
  const attempts = [
    () => loadBeside(path, build, load),
    ...privateRoots.map((root) => () => loadPrivately(root, path, build, load)),
  ];
  for (const attempt of attempts) {
    try {
      return attempt();
    } catch (cause) {
      causes.push(cause);
      if (cause instanceof UnknownFile) break;
    }
  }
  throw new AggregateError(causes, causes.map((cause) => (cause as Error).message).join('; '));
}

/** Not the file that may be patched: no other folder makes it one. */
class UnknownFile extends Error {}

/** Several delivery processes start at once: each writes a file of its own, and each rename puts the same bytes there. */
function loadBeside<T>(path: string, build: Build, load: (copy: string) => T): T {
  const beside = `${path.slice(0, -'.node'.length)}.patched.node`;
  if (isPatched(beside, build)) return load(beside);
  const own = `${beside}.${randomUUID()}`;
  try {
    writeFileSync(own, patchedBytes(path, build), { flag: 'wx', mode: 0o600 });
    // The copy is as readable as the original, whatever this process' umask is.
    chmodSync(own, statSync(path).mode);
    renameSync(own, beside);
  } finally {
    rmSync(own, { force: true });
  }
  return load(beside);
}

/** The folder is new, ours and closed to others (0700), so that no one can have put a file there, or put one there in between. */
function loadPrivately<T>(root: string, path: string, build: Build, load: (copy: string) => T): T {
  const folder = mkdtempSync(join(root, '.loadout-'));
  try {
    const copy = join(folder, 'uws.node');
    writeFileSync(copy, patchedBytes(path, build), { flag: 'wx', mode: 0o600 });
    return load(copy);
  } finally {
    // What is loaded stays, without its name. Windows would keep the file, but needs no patch.
    rmSync(folder, { recursive: true, force: true });
  }
}

function patchedBytes(path: string, build: Build): Uint8Array {
  const patched = patchGlibc(readKnown(path, build));
  if (sha256(patched) !== build.patched) {
    throw new UnknownFile(`the patch makes of ${path} another file than it should`);
  }
  return patched;
}

/** To link a file that was cut off would end the process. */
function readKnown(path: string, build: Build): Uint8Array {
  const bytes = readFileSync(path);
  if (sha256(bytes) === build.original) return bytes;
  throw new UnknownFile(`${path} is not the file that was published under this name`);
}

function isPatched(path: string, build: Build): boolean {
  try {
    return sha256(readFileSync(path)) === build.patched;
  } catch {
    return false;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
