#!/usr/bin/env node
/** The `loadout` command. What it loads is imported below, so that what was compiled before can be used again. */
import { keepCompiledCode } from './compile-cache.js';

keepCompiledCode();
const [{ quitWhenReaderIsGone }, { runProgram }] = await Promise.all([
  import('./command/terminal/output.js'),
  import('./command/program.js'),
]);
quitWhenReaderIsGone();
process.exitCode = await runProgram(process.argv.slice(2));
