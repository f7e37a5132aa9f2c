/**
 * The root file system of the image's final stage, made without a container engine: debootstrap's Debian 13 with Node and npm
 * where `node:24-trixie-slim` has them, and on it what the Containerfile runs.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packLoadout } from '../support/package.js';
import { imageFolder, type Recipe } from './containerfile.js';

const suite = 'trixie';
const nodeMajor = 24;
/** Of Node 24. */
const npmVersion = '11.21.2';
const base = join(tmpdir(), `loadout-image-${suite}-node${nodeMajor}-npm${npmVersion}`);

/** What engines set for a container without another one. */
export const imagePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Why no root file system can be made or run here; null: it can. */
export function whyNoContainer(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can change roots';
  if (spawnSync('debootstrap', ['--version']).status !== 0) return 'there is no debootstrap';
  const { status, stderr } = spawnSync('unshare', [
    '--mount',
    '--pid',
    '--fork',
    '--mount-proc',
    'true',
  ]);
  return status === 0 ? null : `no namespaces: ${stderr}`;
}

/** Debian with Node, made once and kept in the folder for temporary files. @returns its folder, which nobody may change */
export async function makeBase(): Promise<string> {
  if (existsSync(base)) return base;
  const unfinished = mkdtempSync(`${base}.`);
  try {
    const root = join(unfinished, 'root');
    // In a mount namespace of its own: what it mounts is gone when it has ended, however it ends.
    await run('unshare', ['--mount', 'debootstrap', '--variant=minbase', suite, root]);
    const node = `node-${process.platform}-${process.arch}`;
    const modules = join(unfinished, 'node_modules');
    const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', [
      'install',
      ...flags,
      '--prefix',
      unfinished,
      `${node}@${nodeMajor}`,
      `npm@${npmVersion}`,
    ]);
    const local = join(root, 'usr/local');
    cpSync(join(modules, node, 'bin/node'), join(local, 'bin/node'));
    mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
    await run('cp', ['-a', join(modules, 'npm'), join(local, 'lib/node_modules/npm')]);
    await run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm')]);
    // The accounts of node's own images.
    await inRoot(root, ['groupadd', '--gid', '1000', 'node']);
    await inRoot(root, ['useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node']);
    rmSync(join(root, 'var/cache/apt/archives'), { recursive: true, force: true });
    if (!existsSync(base)) renameSync(root, base);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return base;
}

/**
 * Does on a copy of the base what the final stage says.
 * @param folder becomes the root
 * @param packages where the package is kept, in a folder of its own, until it is installed
 */
export async function makeImage(folder: string, packages: string, recipe: Recipe): Promise<void> {
  const debian = await makeBase();
  await run('cp', ['-a', debian, folder]);
  const env = {
    ...process.env,
    PATH: `${join(debian, 'usr/local/bin')}${delimiter}${process.env['PATH']}`,
  };
  mkdirSync(packages);
  await packLoadout(packages, env as Record<string, string>);
  // As the build stage leaves it, where the final stage mounts it.
  const mounted = join(folder, 'package');
  mkdirSync(mounted);
  const [tarball = 'none was made'] = readdirSync(packages);
  renameSync(join(packages, tarball), join(mounted, 'loadout.tgz'));
  for (const file of ['prepare.sh', 'healthy.mjs'])
    cpSync(join(imageFolder, file), join(mounted, file));
  for (const command of recipe.run) await inRoot(folder, ['sh', '-c', command]);
  rmSync(mounted, { recursive: true });
}

/** As an engine does for RUN: as root, with a fresh environment. */
async function inRoot(root: string, command: readonly string[]): Promise<void> {
  await run('chroot', [root, 'env', '-i', `PATH=${imagePath}`, 'HOME=/root', ...command]);
}

/** @throws what the program said, unless it ended with 0 */
async function run(name: string, args: readonly string[]): Promise<void> {
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ${args.join(' ')}: code ${code}\n${said.slice(-4_000)}`);
}
