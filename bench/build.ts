/** A built Loadout that is measured: this tree's, or that of another commit (bench/compare.ts). */
import { existsSync, readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Build {
  /** What tables call it: `loadout`, or `loadout@<ref>`. */
  readonly name: string;
  /** The folder that holds its package.json, build/, dist/ and node_modules/. */
  readonly root: string;
}

/** The tree that this benchmark is of: compiled, it runs in .bench-build/bench. */
export const treeRoot: string = rootAbove(import.meta.dirname);

export const treeBuild: Build = { name: 'loadout', root: treeRoot };

function rootAbove(folder: string): string {
  return existsSync(resolve(folder, 'package.json')) ? folder : rootAbove(resolve(folder, '..'));
}

/** Imports a module of the build, `path` below its build/; the caller names its type. */
export async function importFrom<T>(root: string, path: string): Promise<T> {
  // Commits from before D61 have their modules in dist/.
  const folder =
    ['build', 'dist'].find((each) => existsSync(resolve(root, each, 'content'))) ?? 'build';
  const [room = '', ...names] = path.split('/');
  const below = readdirSync(resolve(root, folder, room), { recursive: true, encoding: 'utf8' });
  // A commit may have the module in another folder of its room.
  const found =
    below.find((file) => file === names.join('/')) ??
    below.find((file) => basename(file) === names.at(-1));
  return (await import(
    pathToFileURL(resolve(root, folder, room, found ?? names.join('/'))).href
  )) as T;
}

type ContextModule = typeof import('../src/content/evaluation-context.js');

/** `makeEvaluationContext` of the build, whatever its name: older commits call it `makeCaller`, in caller.ts. */
export async function importMakeContext(
  root: string,
): Promise<ContextModule['makeEvaluationContext']> {
  const isOld = existsSync(resolve(root, 'build/content/caller.js'));
  const module = await importFrom<Record<string, unknown>>(
    root,
    isOld ? 'content/caller.js' : 'content/evaluation-context.js',
  );
  return (module['makeEvaluationContext'] ??
    module['makeCaller']) as ContextModule['makeEvaluationContext'];
}
