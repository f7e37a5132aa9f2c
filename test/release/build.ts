/**
 * Makes the release that the tests of this suite are about, in a clone of its own, so that this tree's `dist` stays as it
 * is. Vitest's global setup: once, before the first file. LOADOUT_RELEASE_OUT names a folder of artefacts that this tree made
 * before, to test those instead.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { cloneTree } from '../../release/clone.mjs';
import { run } from '../../release/run.mjs';
import { missingTools } from '../tools.mjs';

const root = resolve(import.meta.dirname, '../..');

export interface Release {
  readonly version: string;
  /** Folder of the artefacts. */
  readonly out: string;
  /** Clone that it was built in. */
  readonly clone: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A text: why there is none here. */
    release: Release | string;
  }
}

// biome-ignore lint/style/noDefaultExport: vitest calls it.
export default async function buildRelease(project: TestProject): Promise<() => void> {
  const missing = missingTools([{ tools: ['arm64'] }]);
  // In CI it fails instead: nobody would read there why it was skipped.
  if (missing.length > 0 && process.env['CI'] === undefined) {
    const why = 'a compiler for arm64 or qemu-user is missing (test/tools.mjs names the packages)';
    console.warn(`The suite release is skipped: ${why}`);
    project.provide('release', why);
    return () => undefined;
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const built = process.env['LOADOUT_RELEASE_OUT'];
  if (built !== undefined) {
    project.provide('release', { version, out: resolve(built), clone: root });
    return () => undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'loadout-release-'));
  const [clone, out] = [join(folder, 'clone'), join(folder, 'out')];
  try {
    await cloneTree(root, clone, true);
    await run(clone, 'npm', ['run', 'release', '--', '--allow-changes', '--out', out]);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  project.provide('release', { version, out, clone });
  return () => rmSync(folder, { recursive: true, force: true });
}
