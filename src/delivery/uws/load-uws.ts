/**
 * Loads a build of uWebSockets.js: an official release if one is installed, else the bundled build, and of that a patched
 * copy where the C library is older than glibc 2.38 (D51). What cannot be loaded is said in one sentence with its remedy.
 */

import type * as UWebSockets from 'uWebSockets.js';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { builds } from './builds.js';
import { loadOriginal, loadPatchedCopy } from './patched-copy.js';

export type Uws = typeof UWebSockets;

/** No front end can be loaded here; the message is one sentence for the operator. */
export class FrontEndUnavailable extends Error {
  readonly code = 'front_end_unavailable';
}

const bundled = '@btc-vision/uwebsockets.js';
const official = 'uWebSockets.js';
/** The builds for Linux were linked to glibc 2.38; patched, they need 2.36 (`arc4random`). */
const glibcOfBuilds = 38;
const glibcMin = 36;
const require = createRequire(import.meta.url);

/** Whether `loadUws` takes an official release instead of a bundled build. */
export const isOfficial = (): boolean => isInstalled(official);

/** @throws FrontEndUnavailable */
export function loadUws(): Uws {
  if (isOfficial()) return loadOfficial();
  const { platform, arch, version, versions } = process;
  const here = `Node ${version.slice(1)} (ABI ${versions.modules}) on ${platform}-${arch}`;
  if (!isInstalled(bundled)) {
    throw new FrontEndUnavailable(
      `The delivery front end is not installed: ${bundled} is missing; install Loadout again (npm ci).`,
    );
  }
  const file = `uws_${platform}_${arch}_${versions.modules}.node`;
  const path = join(dirname(require.resolve(bundled)), file);
  const build = builds[file];
  if (build === undefined || !existsSync(path)) {
    throw new FrontEndUnavailable(
      `The delivery front end has no binary for ${here}; run Loadout with Node 24 or 22 on 64-bit Linux, macOS or Windows.`,
    );
  }
  const glibc = platform === 'linux' ? glibcVersion() : glibcOfBuilds;
  if (glibc === null || glibc < glibcMin) {
    const found = glibc === null ? 'another C library' : `glibc 2.${glibc}`;
    throw new FrontEndUnavailable(
      `The delivery front end needs glibc 2.${glibcMin} or newer, and ${here} has ${found}; use a newer distribution with glibc, such as Debian 12.`,
    );
  }
  try {
    const load = (binary: string): Uws => require(binary) as Uws;
    return glibc >= glibcOfBuilds
      ? loadOriginal(path, build, load)
      : loadPatchedCopy(path, build, load);
  } catch (cause) {
    throw new FrontEndUnavailable(
      `The delivery front end cannot be loaded by ${here}: ${oneLine(cause)}; install Loadout again (npm ci), or an official build of uWebSockets.js (docs/operating.md, "The HTTP front end").`,
      { cause },
    );
  }
}

function loadOfficial(): Uws {
  try {
    return require(official) as Uws;
  } catch (cause) {
    throw new FrontEndUnavailable(
      `The installed official build of uWebSockets.js cannot be loaded: ${oneLine(cause)}; remove it (npm uninstall --no-save ${official}), and the bundled build is used.`,
      { cause },
    );
  }
}

/** The second part of the version of the C library, 36 of "2.36"; null: it is not glibc (musl). */
function glibcVersion(): number | null {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const minor = header.glibcVersionRuntime?.split('.')[1];
  return minor === undefined ? null : Number(minor);
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

function oneLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
