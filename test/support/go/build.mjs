/**
 * Builds a program of the Go module in the current folder: `node build.mjs -o FILE PACKAGE`. Where the go command is older than
 * `go.mod` asks, the toolchain that `go.mod` names comes from the module proxy, and its hash must be that of
 * `toolchain/go.sum`. The go command cannot be trusted to do this by itself: before 1.21 it does not know how, and
 * distributions set GOTOOLCHAIN to `local`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const toolchain = join(import.meta.dirname, 'toolchain');

const mod = readFileSync('go.mod', 'utf8');
const needed = numbersOf(/^go (\S+)$/m.exec(mod)[1]);
const pinned = /^toolchain (\S+)$/m.exec(mod)[1];

const own = execFileSync('go', ['env', 'GOVERSION'], { cwd: toolchain, encoding: 'utf8' });
const go = isOlder(numbersOf(own), needed) ? downloadToolchain() : 'go';
const { GOROOT: _, ...env } = process.env;
execFileSync(go, ['build', '-mod=readonly', ...process.argv.slice(2)], {
  env: { ...env, GOTOOLCHAIN: 'local' },
  stdio: 'inherit',
});

/** @param {string} version `go1.26.8`, `1.26.0` */
function numbersOf(version) {
  return version.match(/\d+/g).map(Number);
}

/** @param {number[]} version @param {number[]} other */
function isOlder(version, other) {
  const at = other.findIndex((number, index) => (version[index] ?? 0) !== number);
  return at !== -1 && (version[at] ?? 0) < other[at];
}

/** @returns {string} its go command, in Go's cache of modules */
function downloadToolchain() {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const version = `v0.0.1-${pinned}.${process.platform}-${arch}`;
  const download = ['mod', 'download', '-json', `golang.org/toolchain@${version}`];
  const { Dir: folder } = JSON.parse(
    execFileSync('go', download, { cwd: toolchain, encoding: 'utf8' }),
  );
  // Modules have no programs: the go command that downloads one for itself makes these executable as well.
  for (const programs of ['bin', join('pkg', 'tool', `${process.platform}_${arch}`)]) {
    for (const name of readdirSync(join(folder, programs))) {
      chmodSync(join(folder, programs, name), 0o555);
    }
  }
  return join(folder, 'bin', 'go');
}
