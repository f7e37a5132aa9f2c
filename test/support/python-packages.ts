/** Packages of Python that a suite pins, installed beside nothing else. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In CI whatever is missing fails the test: nobody would read there why it was skipped. */
export function hasPip(): boolean {
  return (
    process.env['CI'] !== undefined || spawnSync('python3', ['-m', 'pip', '--version']).status === 0
  );
}

/**
 * @param requirements path of a requirements.txt with hashes of all that is installed
 * @returns a folder with its packages, installed once and kept in the folder for temporary files
 */
export function pythonPackages(requirements: string): string {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const packages = join(tmpdir(), `loadout-python-${digest}`);
  if (existsSync(packages)) return packages;
  const unfinished = `${packages}.${process.pid}`;
  const options = ['--quiet', '--disable-pip-version-check', '--require-hashes', '--no-deps'];
  const { status, stderr, error } = spawnSync(
    'python3',
    ['-m', 'pip', 'install', ...options, '--target', unfinished, '--requirement', requirements],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`pip: ${error ?? stderr}`);
  }
  renameSync(unfinished, packages);
  return packages;
}
