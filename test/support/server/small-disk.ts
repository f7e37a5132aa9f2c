/** A disk of some megabytes, to be filled: a tmpfs of its own, where the test may mount one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Null where mounting is not allowed; throws in CI, where what is skipped would count as passed. */
  static mount(megabytes: number): SmallDisk | null {
    const path = mkdtempSync(join(tmpdir(), 'loadout-disk-'));
    const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path];
    const mounted = spawnSync('mount', options, { stdio: 'ignore' }).status === 0;
    if (!mounted) rmdirSync(path);
    if (!mounted && process.env['CI'] !== undefined) throw new Error('No tmpfs may be mounted.');
    return mounted ? new SmallDisk(path) : null;
  }

  /** Takes what is free but for `bytes`. */
  fill(bytes = 0): void {
    const { bavail, bsize } = statfsSync(this.path);
    const filler = Buffer.alloc(Math.max(0, bavail * bsize - bytes));
    try {
      writeFileSync(join(this.path, 'filler'), filler);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  empty(): void {
    rmSync(join(this.path, 'filler'), { force: true });
  }

  unmount(): void {
    spawnSync('umount', ['--lazy', this.path], { stdio: 'ignore' });
    rmdirSync(this.path);
  }
}
