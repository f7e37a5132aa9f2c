/** Options of a server that follows another one, or that others follow. */
import type { ServeOptions } from '../../management/serve/options.js';
import { misuse } from '../terminal/failure.js';

interface FollowValues
  extends Pick<
    ServeOptions,
    'follow' | 'followTokenFile' | 'followCa' | 'followInsecure' | 'followPort' | 'followAccept'
  > {
  readonly database: string | null;
  readonly eventsTo: string;
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @throws CommandFailure */
export function checkFollow(values: FollowValues): void {
  const { follow, followTokenFile, followCa, followInsecure, followPort, followAccept } = values;
  if ((followPort === null) !== (followAccept === null)) {
    throw misuse('--follow-port and --follow-accept belong together: give both or neither.');
  }
  if (follow === null) {
    if (followTokenFile !== null || followCa !== null) {
      throw misuse('--follow-token-file and --follow-ca need --follow.');
    }
    return;
  }
  for (const url of follow.split(',')) checkParent(url.trim(), followInsecure);
  if (followTokenFile === null) throw misuse('--follow needs --follow-token-file.');
  if (values.database !== null) {
    throw misuse('--follow and --database exclude each other: a server that follows has no store.');
  }
  if (values.eventsTo !== 'off') {
    throw misuse(
      '--follow needs --events-to off: which experiment an event is of is known only where the store is. Send events to a server that has it.',
    );
  }
}

/** No message repeats the text: there may be a password in it. */
function checkParent(text: string, isInsecure: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw misuse('--follow must begin with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '') {
    throw misuse('--follow has no user, path or query: the token goes into --follow-token-file.');
  }
  if (url.protocol === 'https:' || isInsecure || loopback.has(url.hostname)) return;
  throw misuse(
    '--follow beyond this machine needs https://, or --follow-insecure where the network is trusted: the token and all that is published go over it.',
  );
}
