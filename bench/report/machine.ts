/** Where and of what a run was made: figures mean nothing without it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import { treeRoot } from '../build.js';

export interface Machine {
  /** Short hash; `+` when the tree differed from it. */
  readonly commit: string;
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly kernel: string;
  /** Of one minute, before the first measurement: how busy the neighbours were. */
  readonly load: number;
}

export function describeMachine(): Machine {
  return {
    commit: commitOf(treeRoot),
    date: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    kernel: release(),
    load: loadNow(),
  };
}

function commitOf(root: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const hash = git('rev-parse', '--short', 'HEAD').trim();
    return git('status', '--porcelain', '--', 'src', 'native', 'bench') === '' ? hash : `${hash}+`;
  } catch {
    return 'none';
  }
}

function loadNow(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]);
  } catch {
    return Number.NaN;
  }
}
