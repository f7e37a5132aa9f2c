#!/usr/bin/env node
/** The `loadout` command: its program, and the exit code: 0 done, 1 refused or failed, 2 wrong usage. */

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { contentCommand } from './command/content.js';
import { demoCommand } from './command/demo.js';
import { envCommand } from './command/env.js';
import { evaluateCommand } from './command/evaluate.js';
import { CommandFailure } from './command/failure.js';
import { keyCommand } from './command/key.js';
import { printNote, quitWhenReaderIsGone } from './command/output.js';
import { segmentCommand } from './command/segment.js';
import { serveCommand } from './command/serve.js';
import { syncCommand } from './command/sync.js';

function makeProgram(): Command {
  const program = new Command('loadout')
    .description('Self-hosted remote configuration for games.')
    .version(readVersion())
    .addHelpText(
      'after',
      '\nAll commands but serve and demo talk to the admin API: LOADOUT_URL says where it is, LOADOUT_TOKEN\nholds the token. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.',
    );
  const commands = [
    serveCommand(),
    demoCommand(),
    envCommand(),
    keyCommand(),
    contentCommand(),
    segmentCommand(),
    syncCommand(),
    evaluateCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  endByException(program);
  return program;
}

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Commander would end the process itself, with 1 for wrong usage; here every end passes through `exitCodeOf`. */
function endByException(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) endByException(child);
}

function exitCodeOf(error: unknown): number {
  // Commander has already printed what it has to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandFailure) {
    printNote(`error: ${error.message}`);
    return error.exitCode;
  }
  // A fault of the system carries a code and says enough; anything else is a bug, and its stack is wanted.
  const known = error instanceof Error && typeof (error as { code?: unknown }).code === 'string';
  printNote(
    `error: ${known ? error.message : error instanceof Error ? error.stack : String(error)}`,
  );
  return 1;
}

quitWhenReaderIsGone();
try {
  await makeProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
