/** Builds another commit in a temporary work tree, to be measured against this one. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Build, treeRoot } from './build.js';

/** The work tree goes when this process does. */
export async function buildRef(ref: string, progress: (line: string) => void): Promise<Build> {
  progress(`checking out ${ref}`);
  const root = join(mkdtempSync(join(tmpdir(), 'loadout-ref-')), 'tree');
  process.on('exit', () => {
    run(treeRoot, 'git', ['worktree', 'remove', '--force', root]);
    rmSync(join(root, '..'), { recursive: true, force: true });
  });
  run(treeRoot, 'git', ['worktree', 'add', '--detach', root, ref]);
  if (isSame(root, 'package-lock.json')) {
    symlinkSync(join(treeRoot, 'node_modules'), join(root, 'node_modules'), 'dir');
    buildNative(root);
  } else {
    progress(`installing what ${ref} depends on`);
    run(root, 'npm', ['ci', '--no-audit', '--no-fund']);
  }
  progress(`building ${ref}`);
  run(root, 'npm', ['run', 'build']);
  // Commits from before D120 have built single modules already, for what is timed without a server.
  if (!existsSync(join(root, 'build/content'))) {
    run(root, join(treeRoot, 'test/node_modules/.bin/tsc'), ['-p', root]);
  }
  return { name: `loadout@${ref}`, root };
}

/** `npm ci` builds the addon; where nothing was installed, the built one is taken along or built here. */
function buildNative(root: string): void {
  const addon = 'native/build/Release/loadout.node';
  if (!existsSync(join(root, 'native/binding.gyp'))) return;
  const isUnchanged = differs(root, 'native') === '' && existsSync(join(treeRoot, addon));
  if (isUnchanged) cpSync(join(treeRoot, addon), join(root, addon));
  else run(root, 'npm', ['run', 'install', '--if-present']);
}

function differs(root: string, path: string): string {
  const ref = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const options = { cwd: treeRoot, encoding: 'utf8' } as const;
  const changed = execFileSync('git', ['diff', '--name-only', ref, '--', path], options);
  const untracked = ['ls-files', '--others', '--exclude-standard', '--', path];
  return changed + execFileSync('git', untracked, options);
}

function isSame(root: string, file: string): boolean {
  return readFileSync(join(root, file), 'utf8') === readFileSync(join(treeRoot, file), 'utf8');
}

function run(cwd: string, command: string, args: readonly string[]): void {
  execFileSync(command, [...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}
