/** Starts a server for `serve` and `demo` and says where it is. */

import type { ServeOptions } from '../../management/serve/options.js';
import type { serve } from '../../management/serve/serve.js';
import { linesLost, outliveReaders, printNote } from '../terminal/output.js';
import type { SayStart, StartLine } from './start-lines.js';

const lostNote =
  'warning: standard output could not be written; the server goes on. If the owner token was made just now and is not in the file owner-token of the data folder, it was lost: set LOADOUT_ADMIN_TOKEN and start again.';

export type RunningServer = Awaited<ReturnType<typeof serve>>;

export async function startServer(options: ServeOptions, say: SayStart): Promise<RunningServer> {
  outliveReaders();
  const server = await (options.follow === null ? serveStore : serveFollower)(options);
  const { deliveryUrl, adminUrl, metricsUrl, followUrl, ownerToken, ownerTokenFile } = server;
  say(urlLine('delivery', deliveryUrl));
  say(urlLine(options.follow === null ? 'console' : 'watch', adminUrl));
  if (metricsUrl !== null) say(urlLine('metrics', metricsUrl));
  if (followUrl !== null) say(urlLine('follow', followUrl));
  sayToken(say, ownerToken, ownerTokenFile);
  if (linesLost() > 0) printNote(lostNote);
  return server;
}

// Loaded here, not above: `loadout --help` and the client commands need neither database nor HTTP server.
async function serveStore(options: ServeOptions): Promise<RunningServer> {
  const { serve: start } = await import('../../management/serve/serve.js');
  return start(options);
}

async function serveFollower(options: ServeOptions): Promise<RunningServer> {
  const { serveFollower: start } = await import('../../management/follower/serve-follower.js');
  return start(options);
}

/**
 * Says the owner's token, or where it is.
 * @param token null: none was made, or it is in `file`
 */
export function sayToken(say: SayStart, token: string | null, file: string | null): void {
  const label = 'token';
  if (file !== null) {
    const text = `in ${file}: read it, then delete the file`;
    say({ label, text, event: 'owner_token_saved', fields: { file } });
  } else if (token !== null) {
    say({ label, text: token, event: 'owner_token', fields: {} });
  }
}

export const readyLine: StartLine = { label: 'ready', text: '', event: 'ready', fields: {} };

function urlLine(
  label: 'delivery' | 'console' | 'watch' | 'metrics' | 'follow',
  url: string,
): StartLine {
  return { label, text: url, event: `${label}_listening`, fields: { url } };
}
