/** `loadout open`: the address of a screen of the console, opened where there is a desktop. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Command, Option } from 'commander';
import { escapeName, InvalidName } from '../../contract/client.js';
import { withServer } from '../client/connection.js';
import { findServer } from '../profile/find-server.js';
import { misuse, reasonOf } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { printLine, printNote } from '../terminal/output.js';

interface OpenOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly env?: string;
  readonly segment?: string;
  readonly release?: string;
  readonly experiment?: string;
}

export function openCommand(): Command {
  return withServer(new Command('open'))
    .description(
      'print the address of a screen of the console, and open it where there is a desktop',
    )
    .argument('[content]', 'content id; without it, the environment or the first screen')
    .addOption(new Option('--env <environment>', 'environment to show').env('LOADOUT_ENV'))
    .option('--segment <segment>', 'show this segment')
    .option('--release <release>', 'show this release')
    .option('--experiment <experiment>', 'show this experiment')
    .action(openConsole);
}

async function openConsole(content: string | undefined, options: OpenOptions): Promise<void> {
  const address = `${findServer(options).url}${screenPath(content, options)}`;
  printLine(address);
  const opener = findOpener();
  if (opener === null) return;
  const [program = '', ...args] = opener;
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  try {
    await once(child, 'spawn');
    child.unref();
  } catch (error) {
    printNote(`It cannot be opened from here: ${reasonOf(error)}.`);
  }
}

/** @throws CommandFailure */
function screenPath(content: string | undefined, options: OpenOptions): string {
  const { env, segment, release, experiment } = options;
  const named = Object.entries({ contents: content, segments: segment, releases: release })
    .concat([['experiments', experiment]])
    .filter((entry): entry is [string, string] => entry[1] !== undefined);
  const [first, second] = named;
  if (second !== undefined) {
    throw misuse('Give one of a content, --segment, --release and --experiment.');
  }
  try {
    if (env === undefined) {
      if (first !== undefined) throw misuse('Name its environment with --env (or LOADOUT_ENV).');
      return '/';
    }
    const place = `/env/${escapeName(env)}`;
    return first === undefined ? place : `${place}/${first[0]}/${escapeName(first[1])}`;
  } catch (error) {
    throw error instanceof InvalidName ? misuse(error.message) : error;
  }
}

/** What opens an address; null: nobody is there, or no desktop. */
function findOpener(): readonly string[] | null {
  const { stdout, env } = io();
  if (stdout.isTTY !== true) return null;
  if (process.platform === 'darwin') return ['open'];
  // `start` is a word of cmd, which would read the address for signs of its own.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDisplay = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasDisplay ? ['xdg-open'] : null;
}
