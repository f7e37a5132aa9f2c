/** Bodies of responses on their way to a kit: what a fault makes of them, and what a later server would add. */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fault, Injection } from './fault.js';

type Pieces = AsyncIterable<Buffer>;

/** How a body ends: as it should, with a reset, or never. */
type Ending = 'end' | 'reset' | 'never';

/** Sends a body, piece by piece as it comes, spoiled by the fault. */
export async function sendSpoiled(
  response: ServerResponse,
  pieces: Pieces,
  fault: Fault | null,
): Promise<void> {
  const ending = await write(response, pieces, fault);
  if (ending === 'end') response.end();
  if (ending === 'reset') reset(response);
}

/** Ends the connection of a response as a router does that has forgotten it. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

async function write(
  response: ServerResponse,
  pieces: Pieces,
  fault: Fault | null,
): Promise<Ending> {
  let sent = 0;
  for await (const piece of pieces) {
    if (response.destroyed) return 'never';
    switch (fault?.kind) {
      case 'cut':
      case 'truncate':
      case 'stall': {
        const room = fault.bytes - sent;
        if (piece.length < room) break;
        await push(response, piece.subarray(0, room));
        if (fault.kind === 'stall') return 'never';
        return fault.kind === 'cut' ? 'reset' : 'end';
      }
      case 'slow':
        for (let from = 0; from < piece.length; from += fault.bytes) {
          await push(response, piece.subarray(from, from + fault.bytes));
        }
        continue;
      case 'corrupt':
        corrupt(piece, typeof fault.at === 'string' ? piece.indexOf(fault.at) : fault.at - sent);
        break;
      default:
    }
    sent += piece.length;
    await push(response, piece);
  }
  return 'end';
}

function corrupt(piece: Buffer, at: number): void {
  if (at >= 0 && at < piece.length) piece[at] = (piece[at] ?? 0) ^ 1;
}

/** Each piece goes out alone: the socket has none of it left when the next one follows. */
async function push(response: ServerResponse, piece: Buffer): Promise<void> {
  if (piece.length === 0) return;
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.write(piece, () => {
      response.off('close', resolve);
      resolve();
    });
  });
  await nextTurn();
}

/** The bodies of a JSON response (whole) or of a stream (line by line) with the members of each injection. */
export async function* injected(
  pieces: Pieces,
  isStream: boolean,
  injections: () => readonly Injection[],
): AsyncGenerator<Buffer> {
  let rest = '';
  for await (const piece of pieces) {
    rest += piece.toString('latin1');
    if (!isStream) continue;
    const end = rest.lastIndexOf('\n') + 1;
    const lines = rest.slice(0, end).split('\n');
    yield Buffer.from(lines.map((line) => withMembers(line, injections())).join('\n'), 'latin1');
    rest = rest.slice(end);
  }
  yield Buffer.from(isStream ? rest : withMembers(rest, injections()), 'latin1');
}

/** The bytes of everything else stay as the server wrote them. */
function withMembers(text: string, injections: readonly Injection[]): string {
  const from = text.startsWith('data: ') ? 'data: '.length : 0;
  if (text[from] !== '{') return text;
  let json = text.slice(from);
  for (const { members } of injections) {
    for (const [name, value] of Object.entries(members)) json = withMember(json, name, value);
  }
  return text.slice(0, from) + json;
}

function withMember(json: string, name: string, value: unknown): string {
  const member = `"${name}":${Buffer.from(JSON.stringify(value)).toString('latin1')}`;
  const [head = ''] = json.split('"contents":', 1);
  const present = new RegExp(`"${name}":("[^"]*"|[^",}]+)`).exec(head);
  if (present === null) return `{${member},${json.slice(1)}`;
  return json.slice(0, present.index) + member + json.slice(present.index + present[0].length);
}
