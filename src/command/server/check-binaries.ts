/**
 * What of Loadout is compiled must load before a server opens anything: otherwise the processes and threads that need it end
 * one by one, each with a stack of its own. Whatever does not load ends the command with one sentence and its remedy.
 */

import { createRequire } from 'node:module';
import type { NativeChoice } from '../../native/native-choice.js';
import { CommandFailure } from '../terminal/failure.js';
import { printNote } from '../terminal/output.js';

const hashAddon = 'xxhash-addon';

/**
 * Says on stderr when the TypeScript twins do the work of a missing addon.
 * @throws FrontEndUnavailable, SqliteUnavailable or CommandFailure
 */
export async function checkBinaries(native: NativeChoice): Promise<void> {
  // The front end first: it says best which versions of Node there are binaries for.
  const { loadUws } = await import('../../delivery/uws/load-uws.js');
  loadUws();
  checkHashAddon();
  await import('../../published/sqlite-driver.js');
  if (native !== 'auto') return;
  const { chooseNative } = await import('../../native/native-choice.js');
  if (chooseNative(native) !== null) return;
  printNote(
    'The native addon is not built for this machine, so the server works in TypeScript: same responses, more CPU (docs/operating.md, "Without a compiler").',
  );
}

function checkHashAddon(): void {
  try {
    createRequire(import.meta.url)(hashAddon);
  } catch (cause) {
    const { platform, arch, version } = process;
    const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0];
    throw new CommandFailure(
      `${hashAddon} cannot be loaded by Node ${version.slice(1)} on ${platform}-${arch} (${reason}); install Loadout again (npm ci).`,
    );
  }
}
