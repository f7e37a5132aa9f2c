/** OpenFeature's own OFREP providers, and the program that drives each: a folder here, made ready once and kept. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '../support/browser/chromium.js';
import { missingTools } from '../tools.mjs';

const goBuild = join(import.meta.dirname, '../support/go/build.mjs');

type Command = readonly [program: string, ...args: string[]];

export type ProviderName = 'JavaScript, web' | 'JavaScript, server' | 'Python' | 'Go' | 'Java';

export interface Provider {
  readonly name: ProviderName;
  /** Package of the provider and of the SDK, as they are pinned in the folder. */
  readonly packages: readonly string[];
  /** Below this one. */
  readonly folder: string;
  /** What making it ready and running it needs beside Node (test/tools.mjs). */
  readonly tools: readonly string[];
  /** Run in a copy of the folder, where the files of a registry come to lie. */
  readonly preparation: readonly Command[];
  /** Run in the same place; of a web provider, the module for a page. */
  readonly driver: Command | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it evaluates all flags at once, for one context: OpenFeature's static-context paradigm. */
  readonly isStatic: boolean;
}

const npm: readonly Command[] = [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']];

export const providers: readonly Provider[] = [
  {
    name: 'JavaScript, web',
    packages: ['@openfeature/ofrep-web-provider', '@openfeature/web-sdk'],
    folder: 'javascript',
    tools: ['chromium'],
    preparation: npm,
    driver: 'web-driver.mjs',
    isStatic: true,
  },
  {
    name: 'JavaScript, server',
    packages: ['@openfeature/ofrep-provider', '@openfeature/server-sdk'],
    folder: 'javascript',
    tools: [],
    preparation: npm,
    driver: [process.execPath, 'server-driver.mjs'],
    isStatic: false,
  },
  {
    name: 'Python',
    packages: ['openfeature-provider-ofrep', 'openfeature-sdk'],
    folder: 'python',
    tools: ['python'],
    preparation: [
      [
        ...(['python3', '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'] as const),
        ...['--require-hashes', '--target', 'packages', '--requirement', 'requirements.txt'],
      ],
    ],
    driver: ['python3', 'driver.py'],
    env: { PYTHONPATH: 'packages' },
    isStatic: false,
  },
  {
    name: 'Go',
    packages: [
      'github.com/open-feature/go-sdk-contrib/providers/ofrep',
      'github.com/open-feature/go-sdk',
    ],
    folder: 'go',
    tools: ['go'],
    preparation: [[process.execPath, goBuild, '-o', 'driver', '.']],
    driver: ['./driver'],
    isStatic: false,
  },
  {
    name: 'Java',
    packages: ['dev.openfeature.contrib.providers:ofrep', 'dev.openfeature:sdk'],
    folder: 'java',
    tools: ['java', 'maven'],
    preparation: [['mvn', '--quiet', '--batch-mode', 'compile', 'dependency:copy-dependencies']],
    driver: ['java', '-cp', 'target/classes:target/dependency/*', 'ofrep.Driver'],
    isStatic: false,
  },
];

/** Why the provider cannot be tried here, or null. In CI a missing tool is a failure: there nobody would read this. */
export function whyNot(provider: Provider): string | null {
  if (process.env['CI'] !== undefined) return null;
  const missing = missingTools([provider]).filter(
    (tool) => tool !== 'chromium' || chromiumPath === null,
  );
  return missing.length === 0 ? null : `${provider.name}: no ${missing.join(', ')}`;
}

/**
 * The folder to run the driver in. What was made ready once is kept in the folder for temporary files, under a name
 * that follows from the files here; throws with the output of the command that failed.
 */
export function prepare({ folder, preparation }: Provider): string {
  const sources = join(import.meta.dirname, folder);
  const ready = join(tmpdir(), `loadout-provider-${folder}-${digestOf(sources)}`);
  if (existsSync(ready)) return ready;
  const own = `${ready}.${process.pid}`;
  try {
    cpSync(sources, own, { recursive: true });
    for (const [program, ...args] of preparation) {
      const { status, stdout, stderr, error } = spawnSync(program, args, {
        cwd: own,
        encoding: 'utf8',
      });
      if (status !== 0) {
        throw new Error(`${program} ${args.join(' ')}: ${error ?? `${stderr}\n${stdout}`}`);
      }
    }
    // Another test file may have been quicker.
    if (!existsSync(ready)) renameSync(own, ready);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return ready;
}

function digestOf(folder: string): string {
  const hash = createHash('sha256').update(process.version);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort())
    hash.update(path.slice(folder.length)).update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}
