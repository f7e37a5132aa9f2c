#!/usr/bin/env node
/** The `loadout` command. */
import { quitWhenReaderIsGone } from './command/output.js';
import { runProgram } from './command/program.js';

quitWhenReaderIsGone();
process.exitCode = await runProgram(process.argv.slice(2));
