/** Compiles programs of games with the kits of C# and C++, as strictly as their compilers can. */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { kits } from '../../clients/conformance/kits.js';
import { whyNot } from './kit-server.js';

const clients = resolve(import.meta.dirname, '../../clients');

export const strictCsharp = ['-langversion:7.2', '-warn:4', '-warnaserror'];
/** What Unity 2021.3 defines. */
export const unitySymbols = [
  'UNITY_5_3_OR_NEWER',
  'UNITY_2020_2_OR_NEWER',
  'UNITY_2021_3_OR_NEWER',
];

/** Whether programs with the kit cannot be compiled here; says why. */
export function isMissing(folder: 'csharp' | 'cpp'): boolean {
  const kit = kits.find((each) => each.folder === folder);
  const missing = kit === undefined ? `no kit in ${folder}` : whyNot(kit);
  if (missing !== null) console.warn(`skipped: programs with a kit: ${missing}`);
  return missing !== null;
}

/** Compiles the source with the kit and stubs of Unity's classes. */
export function compileForUnity(source: string, library: string): void {
  execFileSync('mcs', [
    ...[...strictCsharp, '-target:library', `-out:${library}`],
    ...unitySymbols.map((symbol) => `-define:${symbol}`),
    ...['Loadout.cs', 'unity-stubs/UnityEngine.cs'].map((file) => join(clients, 'csharp', file)),
    source,
  ]);
}

export function compileCpp(sources: readonly string[], program: string): void {
  execFileSync('g++', [
    ...['-std=c++17', '-Wall', '-Wextra', '-Werror', `-I${join(clients, 'cpp/include')}`],
    ...[...sources, '-o', program, '-lcurl', '-lpthread'],
  ]);
}
