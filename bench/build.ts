/** A built Loadout that is measured: this tree's, or that of another commit (bench/compare.ts). */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Build {
  /** What tables call it: `loadout`, or `loadout@<ref>`. */
  readonly name: string;
  /** The folder that holds its package.json, dist/ and node_modules/. */
  readonly root: string;
}

/** The tree that this benchmark was compiled from (into .bench-build/bench). */
export const treeRoot: string = resolve(import.meta.dirname, '../..');

export const treeBuild: Build = { name: 'loadout', root: treeRoot };

/** Imports a module of the build, `path` below its dist/; the caller names its type. */
export async function importFrom<T>(root: string, path: string): Promise<T> {
  return (await import(pathToFileURL(resolve(root, 'dist', path)).href)) as T;
}
