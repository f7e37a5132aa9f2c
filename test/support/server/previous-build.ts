/** The program of the version that landed before this one, built from its commit for tests of a fleet of two versions. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Its schema is step 4. Newer versions of this tree name the commit that landed before them here. */
export const previousCommit = '8025e1b6b617377a9daf2845d20f9e90c212bd1a';

/** Its schema is step 5: it asks `writers_min` before it writes, and goes on beside servers of later steps. */
export const step5Commit = 'fa22819df46abe3e48883edf55cfa472304cfbd0';

const root = resolve(import.meta.dirname, '../../..');
const addon = 'native/build/Release';

/** `dist/loadout.js` of the previous version. What was built once is kept, in the folder for temporary files. */
export function previousProgram(commit: string = previousCommit): string {
  // Its modules are those of this tree: a copy of the tree has a build of its own.
  const tree = createHash('sha256').update(`${root} ${process.version}`).digest('hex').slice(0, 8);
  const folder = join(tmpdir(), `loadout-${commit.slice(0, 12)}-${tree}`);
  const program = join(folder, 'dist/loadout.js');
  if (!existsSync(program)) build(folder, commit);
  return program;
}

function build(folder: string, commit: string): void {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status !== 0) {
    throw new Error(
      `The commit ${commit}, a version before this one, is not in this clone: "git fetch --unshallow" gets it.`,
    );
  }
  const own = `${folder}.${process.pid}`;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  try {
    const tree = run(root, 'git', 'archive', commit, 'src', 'native', ...buildFiles);
    execFileSync('tar', ['-x'], { cwd: own, input: tree });
    installModules(own, commit);
    run(own, 'npm', 'run', 'build:server');
    // Another test file may have been quicker.
    if (!existsSync(folder)) renameSync(own, folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

const buildFiles = ['package.json', 'package-lock.json', 'tsconfig.json', 'rolldown.config.mjs'];

function installModules(folder: string, commit: string): void {
  if (!hasItsModules(folder)) {
    run(folder, 'npm', 'ci', '--no-audit', '--no-fund');
    return;
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const isSame = run(root, 'git', 'diff', '--name-only', commit, '--', 'native').length === 0;
  if (isSame && existsSync(join(root, addon))) {
    cpSync(join(root, addon), join(folder, addon), { recursive: true });
  } else {
    run(folder, 'npm', 'run', 'install', '--if-present');
  }
}

/** Whether this tree has each module of the previous version, of the same version; it may have more. */
function hasItsModules(folder: string): boolean {
  const present = lockedVersions(root);
  return [...lockedVersions(folder)].every(([path, version]) => present.get(path) === version);
}

function lockedVersions(folder: string): Map<string, string> {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const modules = Object.entries(packages).filter(([path]) => path !== '');
  return new Map(modules.map(([path, { version }]) => [path, version]));
}

function run(cwd: string, command: string, ...args: string[]): Buffer {
  const ran = spawnSync(command, args, { cwd, maxBuffer: 256 * 1024 * 1024 });
  if (ran.status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed: ${ran.stderr}\n${ran.stdout}`);
  }
  return ran.stdout;
}
