/** A built Loadout that is measured: this tree's, that of another commit (bench/compare.ts), or an installed one. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { digestOf } from '../src/content/hash.js';
import type { PublishedWriter } from '../src/published/writer.js';

/** What fills a published.db: each build writes its own format. */
export interface Publishing {
  readonly PublishedWriter: typeof PublishedWriter;
  readonly digestOf: typeof digestOf;
}

export interface Build {
  /** What tables call it: `loadout`, or `loadout@<ref>`. */
  readonly name: string;
  /** The folder that holds its package.json, build/, dist/ and node_modules/. */
  readonly root: string;
  /** Absent: that of its single modules, which an installed package does not have. */
  readonly publishing?: Publishing;
}

/** The tree that this benchmark is of: compiled, it runs in .bench-build/bench. */
export const treeRoot: string = rootAbove(import.meta.dirname);

export const treeBuild: Build = { name: 'loadout', root: treeRoot };

function rootAbove(folder: string): string {
  return existsSync(resolve(folder, 'package.json')) ? folder : rootAbove(resolve(folder, '..'));
}

/** Imports a module of the build; `path` is its room and its name, in whichever folder of the room; the caller names its type. */
export async function importFrom<T>(root: string, path: string): Promise<T> {
  const [room = '', ...names] = path.split('/');
  const folder = resolve(modulesOf(root), room);
  const all = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  // A commit may have the module in another folder of its room.
  const exact = all.filter((file) => file === names.join('/'));
  const found = exact.length > 0 ? exact : all.filter((file) => basename(file) === names.at(-1));
  if (found.length !== 1) throw new Error(`${root} has ${found.length} modules ${path}.`);
  return (await import(pathToFileURL(resolve(folder, found[0] ?? '')).href)) as T;
}

/** Commits from before D61 have their modules in dist/. */
function modulesOf(root: string): string {
  const folder = ['build', 'dist'].find((each) => existsSync(resolve(root, each, 'content')));
  return resolve(root, folder ?? 'build');
}

type ContextModule = typeof import('../src/content/evaluation-context.js');

/** `makeEvaluationContext` of the build, whatever its name: older commits call it `makeCaller`, in caller.ts. */
export async function importMakeContext(
  root: string,
): Promise<ContextModule['makeEvaluationContext']> {
  const isOld = existsSync(resolve(modulesOf(root), 'content/caller.js'));
  const module = await importFrom<Record<string, unknown>>(
    root,
    isOld ? 'content/caller.js' : 'content/evaluation-context.js',
  );
  return module[
    isOld ? 'makeCaller' : 'makeEvaluationContext'
  ] as ContextModule['makeEvaluationContext'];
}
