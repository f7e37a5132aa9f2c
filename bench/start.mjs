/**
 * `npm run bench` and `npm run bench:compare`: reads the command line, then builds, then runs. `--help` and a typing
 * error end here, before anything is built.
 */
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readArguments } from './arguments.mjs';

const root = resolve(import.meta.dirname, '..');
const [mode, ...words] = process.argv.slice(2);
const isCompare = mode === 'compare';
const chosen = readArguments(words, isCompare ? 'compare' : 'run');
if ('text' in chosen) {
  (chosen.exitCode === 0 ? process.stdout : process.stderr).write(chosen.text);
  process.exitCode = chosen.exitCode;
} else {
  // A deployed server is loaded by what is compiled with the benchmarks.
  if (chosen.build && chosen.deployed === null) make('npm', ['run', '--silent', 'build']);
  const compiler = resolve(root, 'test/node_modules/.bin/tsc');
  make(process.execPath, [resolve(root, 'test/install-packages.mjs')]);
  // Single modules for what is timed without a server; --no-build is about dist/, which they are no part of.
  if (chosen.deployed === null) make(compiler, ['-p', root]);
  make(compiler, ['-p', resolve(root, 'bench')]);
  const script = resolve(root, '.bench-build/bench', isCompare ? 'compare.js' : 'run.js');
  const child = spawn(process.execPath, [script, ...words], { cwd: root, stdio: 'inherit' });
  // Ctrl-C reaches the child as well, which ends its servers first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function make(command, args) {
  process.stderr.write(`building: ${command.split('/').at(-1)} ${args.join(' ')}\n`);
  // Standard output is for the results.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
