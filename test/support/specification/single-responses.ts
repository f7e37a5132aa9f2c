/** What single wrapped requests answer a player, asked for in one combine call: it has the same bytes. */
import type { Agent } from 'node:http';
import { rawMembers } from '../../../src/management/http/body/raw-members.js';
import type { Environment } from '../server/environment.js';

/**
 * The responses by id; what is answered with 404 is left out.
 * @param context the members `u`, `p` and `v` of the request
 * @param sequence that the responses have reached
 */
export async function singleResponses(
  game: Environment,
  context: Readonly<Record<string, unknown>>,
  ids: readonly string[],
  sequence: number,
  agent: Agent,
): Promise<ReadonlyMap<string, string>> {
  const c = encodeURIComponent(JSON.stringify(ids));
  const path = `/api/v1/combine?c=${c}&dynamic=true`;
  const least = { 'x-min-sequence': String(sequence) };
  const answer = await game.ask('POST', path, context, least, agent);
  if (answer.status !== 200) throw new Error(`delivery said ${answer.status}: ${answer.text}`);
  const entries = [...rawMembers(answer.bytes)].map(
    ([id, bytes]) => [id, Buffer.from(bytes).toString()] as const,
  );
  return new Map(entries.filter(([, text]) => !text.startsWith('"Error 404')));
}
