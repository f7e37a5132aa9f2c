/** Compiles programs with generated types, as strictly as the compilers of the kits can. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compileCpp, isMissing, strictCsharp } from '../kits/compile.js';

const root = resolve(import.meta.dirname, '../..');
/** Json.NET 12, as a package for Unity has it. */
const jsonNet = join(
  root,
  'test/node_modules/jillejr.newtonsoft.json-for-unity/Plugins/Newtonsoft.Json Editor/Newtonsoft.Json.dll',
);
const nlohmann = '/usr/include/nlohmann/json.hpp';

/** Whether a language cannot be tried here; in CI a missing tool is a failure. */
export function lacks(language: 'csharp' | 'cpp'): boolean {
  if (isMissing(language)) return true;
  const isThere = language === 'csharp' || existsSync(nlohmann) || process.env['CI'] !== undefined;
  if (!isThere) console.warn('skipped: types in C++: no nlohmann-json3-dev');
  return !isThere;
}

/** @returns the program, which runs with `mono` */
export function compileCsharp(sources: readonly string[], folder: string): string {
  const program = join(folder, 'game.exe');
  copyFileSync(jsonNet, join(folder, 'Newtonsoft.Json.dll'));
  execFileSync(
    'mcs',
    [
      ...[...strictCsharp, `-out:${program}`, '-r:System.Net.Http.dll'],
      ...[`-r:${jsonNet}`, join(root, 'clients/csharp/Loadout.cs'), ...sources],
    ],
    { stdio: 'pipe' },
  );
  return program;
}

export function compileCppWithTypes(source: string, program: string): void {
  compileCpp([source], program);
}

/** Checks the files as strictly as a game's compiler would. @throws with what the compiler says */
export function checkTypescript(files: readonly string[], folder: string): void {
  const config = {
    compilerOptions: {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', noEmit: true },
      ...{ lib: ['es2022', 'dom'], types: ['node'], skipLibCheck: true },
      typeRoots: [join(root, 'node_modules/@types')],
      paths: { '@loadout/client': [join(root, 'clients/typescript/src/client.ts')] },
    },
    files,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'test/node_modules/.bin/tsc');
  try {
    execFileSync(tsc, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout);
  }
}
