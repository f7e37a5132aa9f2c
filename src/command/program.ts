/** The `loadout` program: all commands, of which only those are loaded that a call may be about. */
import { Command, CommanderError } from 'commander';
import { CommandFailure } from './terminal/failure.js';
import { io } from './terminal/io.js';
import { printNote } from './terminal/output.js';
import { readVersion } from './terminal/version.js';

type Load = () => Promise<Command>;

/** As the help lists them: first what a server is, last what keeps it well. */
const groups: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Server: {
    serve: async () => (await import('./server/serve.js')).serveCommand(),
    demo: async () => (await import('./demo/demo.js')).demoCommand(),
  },
  Editing: {
    env: async () => (await import('./environment/env.js')).envCommand(),
    key: async () => (await import('./environment/key.js')).keyCommand(),
    content: async () => (await import('./content/content.js')).contentCommand(),
    segment: async () => (await import('./segment/segment.js')).segmentCommand(),
    evaluate: async () => (await import('./evaluate/evaluate.js')).evaluateCommand(),
    preview: async () => (await import('./evaluate/preview.js')).previewCommand(),
  },
  'Between environments, files and servers': {
    sync: async () => (await import('./environment/sync.js')).syncCommand(),
    diff: async () => (await import('./environment/sync.js')).diffCommand(),
    export: async () => (await import('./transfer/export.js')).exportCommand(),
    import: async () => (await import('./transfer/import.js')).importCommand(),
  },
  'People and events': {
    user: async () => (await import('./people/user.js')).userCommand(),
    audit: async () => (await import('./people/audit.js')).auditCommand(),
    webhook: async () => (await import('./webhook/webhook.js')).webhookCommand(),
  },
  Care: {
    nodes: async () => (await import('./server/nodes.js')).nodesCommand(),
    backup: async () => (await import('./server/backup.js')).backupCommand(),
    restore: async () => (await import('./server/restore.js')).restoreCommand(),
    migrate: async () => (await import('./server/migrate.js')).migrateCommand(),
    database: async () => (await import('./server/database.js')).databaseCommand(),
    retention: async () => (await import('./server/retention.js')).retentionCommand(),
    completion: async () => (await import('./completion/completion.js')).completionCommand(),
  },
};

/** Prints what all commands are: its own is not enough. */
const describesAll = 'completion';
const printsVersion = ['--version', '-V'];

/**
 * Runs one command to its end; what it has to say is on the streams of `io()`.
 * @param args without the names of the program
 * @returns the exit code: 0 done, 1 rejected or failed, 2 wrong usage
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  try {
    const program = await makeProgram(args[0] ?? '');
    await program.parseAsync(args, { from: 'user' });
    return io().exitCode;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** @param named what may be the name of a command; anything else is answered from all of them */
async function makeProgram(named: string): Promise<Command> {
  const program = new Command('loadout')
    .description('Self-hosted remote configuration for games.')
    .version(readVersion())
    .addHelpText(
      'after',
      '\nAll commands but serve, demo, restore, migrate, database and completion talk to the admin API: LOADOUT_URL says\nwhere it is, LOADOUT_TOKEN holds the token. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.',
    );
  const names = Object.values(groups).flatMap((commands) => Object.keys(commands));
  const isOne = names.includes(named) && named !== describesAll;
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(`${heading}:`);
    for (const [name, load] of Object.entries(commands)) {
      if (isOne ? name === named : !printsVersion.includes(named)) program.addCommand(await load());
    }
  }
  program.addHelpCommand(helpCommand());
  prepare(program);
  return program;
}

/** Commander's own would stand alone under a heading of its own. */
function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .description('say more about a command')
    .helpGroup('Care:');
}

/** Commander would end the process itself, with 1 for wrong usage; here every end passes through `exitCodeOf`. */
function prepare(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => io().stdout.write(text),
    writeErr: (text) => io().stderr.write(text),
  });
  for (const child of command.commands) prepare(child);
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
