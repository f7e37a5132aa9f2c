/** Programs and packages of earlier versions, built from their commits: they run beside this version, and are upgraded to it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** The version that landed before this one: newer versions of this tree name the commit here. Its schema is step 13. */
export const previousCommit = '7c6eb929aa83cc4e305d80c17f43252aa265b828';

/** Its schema is step 4: its hashes are those of the text alone, and it does not ask who may write. */
export const step4Commit = '8025e1b6b617377a9daf2845d20f9e90c212bd1a';

/** Its schema is step 5: it asks `writers_min` before it writes, and goes on beside servers of later steps. */
export const step5Commit = 'fa22819df46abe3e48883edf55cfa472304cfbd0';

/** Its schema is step 9: it knows releases and guards, and no role `support`, experiments or times of publications. */
export const step9Commit = '687293647b0fc7a2b50d65f260358820b3a04f1c';

/** The first version whose servers follow servers with protocol 1. */
export const protocol1Commit = '8d3554042ee795ac19d016d87fe50766565cb157';

/** What the addon is compiled from. */
const addonSources = ['native/src', 'native/binding.gyp'];
const root = resolve(import.meta.dirname, '../../..');
const addon = 'native/build/Release';

/** `dist/loadout.js` of an earlier version. What was built once is kept, in the folder for temporary files. */
export function previousProgram(commit: string): string {
  const folder = folderOf(commit);
  const program = join(folder, 'dist/loadout.js');
  if (!existsSync(program)) build(folder, commit);
  return program;
}

/**
 * The package of an earlier version, as its own `npm pack` makes it. What was made once is kept, as above.
 * @returns path of the .tgz
 */
export function previousPackage(commit: string): string {
  const folder = `${folderOf(commit)}-package`;
  if (!existsSync(folder)) {
    const own = extract(folder, commit);
    try {
      if (hasItsModules(own, 'all')) {
        // Links of each file, not of the folder: packing replaces manifests in it.
        run(own, 'cp', '-al', realpathSync(join(root, 'node_modules')), 'node_modules');
        installAddon(own, commit);
      } else run(own, 'npm', 'ci', '--no-audit', '--no-fund');
      run(own, 'npm', 'pack');
      const name = readdirSync(own).find((each) => each.endsWith('.tgz')) ?? 'none was made';
      mkdirSync(`${own}.made`);
      renameSync(join(own, name), join(`${own}.made`, name));
      if (!existsSync(folder)) renameSync(`${own}.made`, folder);
    } finally {
      rmSync(own, { recursive: true, force: true });
      rmSync(`${own}.made`, { recursive: true, force: true });
    }
  }
  return join(folder, readdirSync(folder)[0] ?? '');
}

/**
 * `dist/loadout.js` of an earlier version, for commands that talk to a server. It is bundled from the sources of the
 * commit with the modules of this tree, so it needs no network; what only a server imports is not looked for.
 */
export function previousCommand(commit: string): string {
  const folder = `${folderOf(commit)}-command`;
  const program = join(folder, 'dist/loadout.js');
  if (existsSync(program)) return program;
  const own = extract(folder, commit, 'src', 'package.json');
  try {
    symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'), 'dir');
    writeFileSync(join(own, 'rolldown.config.mjs'), commandBundle);
    run(own, 'node_modules/.bin/rolldown', '-c');
    if (!existsSync(folder)) renameSync(own, folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return program;
}

const commandBundle = `export default {
  input: 'src/loadout.ts',
  platform: 'node',
  external: (id) => !/^[./]|^src/.test(id),
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  output: { dir: 'dist', format: 'esm' },
};
`;

function folderOf(commit: string): string {
  // Its modules are those of this tree: a copy of the tree has a build of its own.
  const tree = createHash('sha256').update(`${root} ${process.version}`).digest('hex').slice(0, 8);
  return join(tmpdir(), `loadout-${commit.slice(0, 12)}-${tree}`);
}

/** Writes files of a commit into a folder of this process beside `folder`, and returns it. */
function extract(folder: string, commit: string, ...files: string[]): string {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status !== 0) {
    throw new Error(
      `The commit ${commit}, a version before this one, is not in this clone: "git fetch --unshallow" gets it.`,
    );
  }
  const own = `${folder}.${process.pid}`;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  const tree = run(root, 'git', 'archive', commit, ...files);
  execFileSync('tar', ['-x'], { cwd: own, input: tree });
  return own;
}

function build(folder: string, commit: string): void {
  const own = extract(folder, commit, 'src', 'native', ...buildFiles, ...servedFiles(commit));
  try {
    installModules(own, commit);
    run(own, 'npm', 'run', 'build:server');
    // Another test file may have been quicker.
    if (!existsSync(folder)) renameSync(own, folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

const buildFiles = ['package.json', 'package-lock.json', 'tsconfig.json', 'rolldown.config.mjs'];

/** What the server's bundle has in it as soon as the commit has it: the browser game with the client kit, and `loadout bench`. */
function servedFiles(commit: string): string[] {
  const isThere = (path: string): boolean =>
    run(root, 'git', 'ls-tree', '--name-only', commit, path).length > 0;
  const game = 'clients/samples/browser-game';
  return [
    ...(isThere(game) ? [game, 'clients/typescript'] : []),
    ...(isThere('bench/installed') ? ['bench'] : []),
  ];
}

function installModules(folder: string, commit: string): void {
  if (!hasItsModules(folder, 'to run')) {
    run(folder, 'npm', 'ci', '--no-audit', '--no-fund');
    return;
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  installAddon(folder, commit);
}

/** The one of this tree where the sources are the same. */
function installAddon(folder: string, commit: string): void {
  const isSame =
    run(root, 'git', 'diff', '--name-only', commit, '--', ...addonSources).length === 0;
  if (isSame && existsSync(join(root, addon))) {
    cpSync(join(root, addon), join(folder, addon), { recursive: true });
  } else {
    run(folder, 'npm', 'run', 'install', '--if-present');
  }
}

/** Whether this tree has each module of the previous version, of the same version; it may have more. */
function hasItsModules(folder: string, needed: 'all' | 'to run'): boolean {
  const present = lockedModules(root);
  return [...lockedModules(folder)].every(([path, { version, dev = false }]) => {
    const own = present.get(path);
    // Of what builds and checks a server, no other version will do, but much is not needed.
    return own === undefined ? dev && needed === 'to run' : own.version === version;
  });
}

interface LockedModule {
  readonly version: string;
  readonly dev?: boolean;
}

function lockedModules(folder: string): Map<string, LockedModule> {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockedModule>>;
  };
  return new Map(Object.entries(packages).filter(([path]) => path !== ''));
}

function run(cwd: string, command: string, ...args: string[]): Buffer {
  // With the compiler of this tree, where the commit has none among its own modules.
  const PATH = [process.env['PATH'], join(root, 'test/node_modules/.bin')].join(delimiter);
  const env = { ...process.env, PATH };
  const ran = spawnSync(command, args, { cwd, env, maxBuffer: 256 * 1024 * 1024 });
  if (ran.status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed: ${ran.stderr}\n${ran.stdout}`);
  }
  return ran.stdout;
}
