/** The front end's package as npm has it, with the binaries of every platform; a clone keeps its own platform's alone (D120). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const name = '@btc-vision/uwebsockets.js';

export interface FrontEndPackage {
  /** @param file name of a binary, such as `uws_linux_arm64_137.node` */
  read(file: string): Buffer;
  remove(): void;
}

/** From npm's cache, where the installation has left it, or else from the registry. */
export function fetchFrontEndPackage(): FrontEndPackage {
  const manifest = readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const folder = mkdtempSync(join(tmpdir(), 'loadout-front-end-'));
  const flags = ['--silent', '--prefer-offline'];
  const packed = execFileSync('npm', ['pack', ...flags, `${name}@${dependencies[name]}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  execFileSync('tar', ['-xzf', packed.trim()], { cwd: folder });
  return {
    read: (file) => readFileSync(join(folder, 'package', file)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
