/** The kits under test: how the driver of each is built and started, and what that needs. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pagesOf } from '../typescript/driver/driver-pages.js';
import { DriverProcess, type DriverSource, type Program } from './driver.js';

export interface Kit {
  /** Column of the table in docs/clients.md. */
  readonly name: string;
  /** Below `clients/`: its sources, where its commands run. */
  readonly folder: string;
  /** What building and running it needs beside Node (test/tools.mjs). */
  readonly tools: readonly string[];
  /** `{out}` in an argument stands for the folder that the build writes to. */
  readonly build: readonly Program[];
  /** The program that is started; or what starts drivers from the folder that the build wrote to. */
  readonly driver: Program | ((out: string) => DriverSource);
}

const run = promisify(execFile);
const clients = join(import.meta.dirname, '..');
const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror'];

export const kits: readonly Kit[] = [
  {
    name: 'TypeScript (Node)',
    folder: 'typescript',
    tools: [],
    // The client as npm gets it: a name that its build shortens wrongly would show here and nowhere else.
    build: [
      ['env', 'KIT_OUT={out}', 'npx', 'rolldown', '-c', 'rolldown.config.mjs'],
      ['env', 'KIT_OUT={out}', 'npx', 'rolldown', '-c', 'driver/rolldown.config.mjs'],
    ],
    driver: [process.execPath, '{out}/driver.js'],
  },
  {
    name: 'TypeScript (Chromium)',
    folder: 'typescript',
    tools: ['chromium'],
    build: [['npx', 'rolldown', 'driver/page.ts', '--dir', '{out}']],
    driver: (out) => pagesOf(join(out, 'page.js')),
  },
  {
    name: 'TypeScript (XMLHttpRequest)',
    folder: 'typescript',
    tools: ['chromium'],
    build: [['npx', 'rolldown', 'driver/xhr-page.ts', '--dir', '{out}']],
    driver: (out) => pagesOf(join(out, 'xhr-page.js')),
  },
  {
    name: 'C#',
    folder: 'csharp',
    tools: ['mono'],
    build: [['sh', 'driver/build.sh', '{out}']],
    driver: ['mono', '{out}/driver.exe'],
  },
  {
    name: 'C++',
    folder: 'cpp',
    tools: ['c++'],
    build: [
      [
        ...(['g++', '-std=c++17', '-O1', ...warnings, '-Iinclude', 'driver/driver.cpp'] as const),
        ...['-o', '{out}/driver', '-lcurl'],
      ],
    ],
    driver: ['{out}/driver'],
  },
  {
    name: 'C++ (sanitizers)',
    folder: 'cpp',
    tools: ['c++'],
    build: [
      [
        ...(['clang++', '-std=c++17', '-O1', '-g', '-fsanitize=address,undefined'] as const),
        ...['-fno-sanitize-recover=all', ...warnings, '-Iinclude', 'driver/driver.cpp'],
        ...['-o', '{out}/driver', '-lcurl'],
      ],
    ],
    driver: ['{out}/driver'],
  },
];

/** The drivers of a kit, which is built if its sources have changed. */
export async function driversOf(kit: Kit): Promise<DriverSource> {
  const cwd = join(clients, kit.folder);
  const out = await buildKit(kit, cwd);
  const { driver } = kit;
  if (typeof driver === 'function') return driver(out);
  return {
    async start() {
      const started = new DriverProcess(at(out, driver), cwd);
      await started.hello;
      return started;
    },
    end: async () => undefined,
  };
}

/**
 * What was built once is kept in the folder for temporary files, under a name that follows from the sources.
 * @returns the folder; throws with the output of the command that failed
 */
async function buildKit(kit: Kit, cwd: string): Promise<string> {
  const out = join(tmpdir(), `loadout-kit-${kit.folder}-${digestOf(kit, cwd)}`);
  if (!existsSync(out)) {
    const own = `${out}.${process.pid}`;
    try {
      mkdirSync(own, { recursive: true });
      for (const command of kit.build) await runIn(cwd, at(own, command));
      // Another test file may have been quicker.
      if (!existsSync(out)) renameSync(own, out);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }
  return out;
}

function at(out: string, [program, ...args]: Program): Program {
  const inOut = (word: string): string => word.replace('{out}', out);
  return [inOut(program), ...args.map(inOut)];
}

/** While it runs, connections to the server are looked after. */
async function runIn(cwd: string, [program, ...args]: Program): Promise<void> {
  try {
    await run(program, args, { cwd });
  } catch (fault) {
    const { message, stdout = '' } = fault as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`);
  }
}

function digestOf(kit: Kit, folder: string): string {
  const hash = createHash('sha256').update(process.version).update(JSON.stringify(kit));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => !path.includes('/node_modules/') && !path.includes('/dist/'));
  for (const path of paths.sort()) {
    hash.update(path.slice(folder.length)).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 12);
}
