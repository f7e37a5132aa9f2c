#!/usr/bin/env node
/** The `loadout` command: its program, and the exit code: 0 done, 1 refused or failed, 2 wrong usage. */

import { Command, CommanderError } from 'commander';
import { auditCommand } from './command/audit.js';
import { backupCommand } from './command/backup.js';
import { completionCommand } from './command/completion.js';
import { contentCommand } from './command/content.js';
import { databaseCommand } from './command/database.js';
import { demoCommand } from './command/demo.js';
import { envCommand } from './command/env.js';
import { evaluateCommand } from './command/evaluate.js';
import { exportCommand } from './command/export.js';
import { CommandFailure } from './command/failure.js';
import { importCommand } from './command/import.js';
import { keyCommand } from './command/key.js';
import { migrateCommand } from './command/migrate.js';
import { nodesCommand } from './command/nodes.js';
import { printNote, quitWhenReaderIsGone } from './command/output.js';
import { previewCommand } from './command/preview.js';
import { restoreCommand } from './command/restore.js';
import { retentionCommand } from './command/retention.js';
import { segmentCommand } from './command/segment.js';
import { serveCommand } from './command/serve.js';
import { diffCommand, syncCommand } from './command/sync.js';
import { userCommand } from './command/user.js';
import { readVersion } from './command/version.js';
import { webhookCommand } from './command/webhook.js';

function makeProgram(): Command {
  const program = new Command('loadout')
    .description('Self-hosted remote configuration for games.')
    .version(readVersion())
    .addHelpText(
      'after',
      '\nAll commands but serve, demo, restore, migrate, database and completion talk to the admin API: LOADOUT_URL says\nwhere it is, LOADOUT_TOKEN holds the token. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.',
    );
  for (const [heading, commands] of commandGroups()) {
    program.commandsGroup(`${heading}:`);
    for (const command of commands) program.addCommand(command);
  }
  program.addHelpCommand(helpCommand());
  endByException(program);
  return program;
}

/** Commander's own would stand alone under a heading of its own. */
function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .description('say more about a command')
    .helpGroup('Care:');
}

/** As the help lists them: first what a server is, last what keeps it well. */
function commandGroups(): readonly (readonly [string, readonly Command[]])[] {
  return [
    ['Server', [serveCommand(), demoCommand()]],
    [
      'Editing',
      [
        envCommand(),
        keyCommand(),
        contentCommand(),
        segmentCommand(),
        evaluateCommand(),
        previewCommand(),
      ],
    ],
    [
      'Between environments, files and servers',
      [syncCommand(), diffCommand(), exportCommand(), importCommand()],
    ],
    ['People and events', [userCommand(), auditCommand(), webhookCommand()]],
    [
      'Care',
      [
        nodesCommand(),
        backupCommand(),
        restoreCommand(),
        migrateCommand(),
        databaseCommand(),
        retentionCommand(),
        completionCommand(),
      ],
    ],
  ];
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
