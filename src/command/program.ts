/** The `loadout` program. Only the modules of the called command are loaded. */
import { Command, CommanderError } from 'commander';
import { putEnvironmentFirst } from './client/environment-first.js';
import { CommandFailure } from './terminal/failure.js';
import { io } from './terminal/io.js';
import { printNote } from './terminal/output.js';
import { readVersion } from './terminal/version.js';

type Load = () => Promise<Command>;

/** In the order of the help. */
const groups: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Server: {
    serve: async () => (await import('./server/serve.js')).serveCommand(),
    demo: async () => (await import('./demo/demo.js')).demoCommand(),
    bench: async () => (await import('./bench/bench.js')).benchCommand(),
  },
  'You and the server': {
    login: async () => (await import('./login/login.js')).loginCommand(),
    logout: async () => (await import('./login/login.js')).logoutCommand(),
    profile: async () => (await import('./login/profile.js')).profileCommand(),
    whoami: async () => (await import('./login/whoami.js')).whoamiCommand(),
    status: async () => (await import('./status/status.js')).statusCommand(),
    open: async () => (await import('./status/open.js')).openCommand(),
    api: async () => (await import('./client/api.js')).apiCommand(),
  },
  Editing: {
    env: async () => (await import('./environment/env.js')).envCommand(),
    key: async () => (await import('./environment/key.js')).keyCommand(),
    content: async () => (await import('./content/content.js')).contentCommand(),
    search: async () => (await import('./content/search.js')).searchCommand(),
    segment: async () => (await import('./segment/segment.js')).segmentCommand(),
    release: async () => (await import('./release/release.js')).releaseCommand(),
    experiment: async () => (await import('./experiment/experiment.js')).experimentCommand(),
    metric: async () => (await import('./experiment/metric.js')).metricCommand(),
    calendar: async () => (await import('./calendar/calendar.js')).calendarCommand(),
    evaluate: async () => (await import('./evaluate/evaluate.js')).evaluateCommand(),
    preview: async () => (await import('./evaluate/preview.js')).previewCommand(),
    player: async () => (await import('./player/player.js')).playerCommand(),
    mcp: async () => (await import('./mcp/mcp.js')).mcpCommand(),
  },
  'Between environments, files and servers': {
    sync: async () => (await import('./environment/sync.js')).syncCommand(),
    diff: async () => (await import('./environment/sync.js')).diffCommand(),
    export: async () => (await import('./transfer/export.js')).exportCommand(),
    import: async () => (await import('./transfer/import.js')).importCommand(),
    validate: async () => (await import('./transfer/validate.js')).validateCommand(),
    types: async () => (await import('./types/types.js')).typesCommand(),
  },
  'People and events': {
    user: async () => (await import('./people/user.js')).userCommand(),
    events: async () => (await import('./events/events.js')).eventsCommand(),
    audit: async () => (await import('./people/audit.js')).auditCommand(),
    webhook: async () => (await import('./webhook/webhook.js')).webhookCommand(),
  },
  Care: {
    nodes: async () => (await import('./server/nodes.js')).nodesCommand(),
    rejections: async () => (await import('./server/rejections.js')).rejectionsCommand(),
    backup: async () => (await import('./server/backup.js')).backupCommand(),
    restore: async () => (await import('./server/restore.js')).restoreCommand(),
    migrate: async () => (await import('./server/migrate.js')).migrateCommand(),
    database: async () => (await import('./server/database.js')).databaseCommand(),
    follow: async () => (await import('./server/follow.js')).followCommand(),
    retention: async () => (await import('./server/retention.js')).retentionCommand(),
    completion: async () => (await import('./completion/completion.js')).completionCommand(),
  },
};

/** What completion scripts ask for; not for people, and therefore in no help. */
const completes = '__complete';

/** It needs all commands, not only its own. */
const describesAll = 'completion';
/** They need no other command. */
const needsNone = ['--version', '-V', completes];

/**
 * Runs one command to its end; its output goes to the streams of `io()`.
 * @param args without the names of the program
 * @returns the exit code: 0 done, 1 rejected or failed, 2 wrong usage
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  try {
    const program = await makeProgram(args[0] ?? '');
    await program.parseAsync(putEnvironmentFirst(args), { from: 'user' });
    return io().exitCode;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** @param named perhaps the name of a command; with anything else, all commands are loaded */
async function makeProgram(named: string): Promise<Command> {
  const program = new Command('loadout')
    .description('Self-hosted remote configuration for games.')
    .version(readVersion())
    .addHelpText(
      'after',
      '\nAll commands except serve, demo, bench, restore, migrate, database, follow, validate, profile and completion use the\nadmin API: `loadout login` stores its address and a token, or LOADOUT_URL is its address, LOADOUT_TOKEN the token. Exit\ncodes: 0 success, 1 rejected or failed, 2 wrong usage.',
    );
  if (named === completes) {
    const { completeCommand } = await import('./completion/complete.js');
    program.addCommand(completeCommand(completes));
  }
  const names = Object.values(groups).flatMap((commands) => Object.keys(commands));
  const isOne = names.includes(named) && named !== describesAll;
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(`${heading}:`);
    for (const [name, load] of Object.entries(commands)) {
      if (isOne ? name === named : !needsNone.includes(named)) program.addCommand(await load());
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
    .description('show the help of a command')
    .helpGroup('Care:');
}

/** Commander would exit the process itself, with 1 for wrong usage; here `exitCodeOf` decides. */
function prepare(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => io().stdout.write(text),
    writeErr: (text) => io().stderr.write(text),
  });
  for (const child of command.commands) prepare(child);
}

function exitCodeOf(error: unknown): number {
  // Commander has already printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandFailure) {
    printNote(`error: ${error.message}`);
    return error.exitCode;
  }
  // The message of a system error, which has a code, is enough. Anything else is a bug, and its stack is needed.
  const known = error instanceof Error && typeof (error as { code?: unknown }).code === 'string';
  printNote(
    `error: ${known ? error.message : error instanceof Error ? error.stack : String(error)}`,
  );
  return 1;
}
