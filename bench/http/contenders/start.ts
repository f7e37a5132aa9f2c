/** Starts a contender by its kind, on the core it is given. */
import { resolve } from 'node:path';
import { deliveryEnvironment } from '../../../src/published/barrier.js';
import { heard, moveHelpers, serverCore, startNode } from '../../measure/child.js';
import type { ContenderKind, Server, ServerInput } from './contender.js';
import { startLoadout } from './loadout.js';

export function startServer(kind: ContenderKind, input: ServerInput): Promise<Server> {
  switch (kind) {
    case 'loadout':
      return startLoadout(input);
    case 'pooled-aside':
      return startPlain('pooled-process.js', { ...input, poolAside: true });
    default:
      return startPlain(`${kind}-process.js`, input);
  }
}

/** Several processes of a contender on one port, each on a server core of its own while there are enough of those. */
export async function startServers(
  kind: ContenderKind,
  input: ServerInput,
  count: number,
): Promise<Server[]> {
  const servers: Server[] = [];
  for (let at = 0; at < count; at += 1) {
    const port = servers[0]?.port ?? input.port;
    servers.push(await startServer(kind, { ...input, core: serverCore(at), port }));
  }
  return servers;
}

/** A contender that cannot take part here; the message says why. */
export class CannotStart extends Error {}

async function startPlain(file: string, input: ServerInput): Promise<Server> {
  const script = resolve(import.meta.dirname, file);
  const child = startNode(script, [JSON.stringify(input)], {
    core: input.core,
    env: { ...deliveryEnvironment },
  });
  const port = await heard(child, 30_000, (message) => (message as { port?: number }).port).catch(
    (error: Error) => {
      throw new CannotStart(error.message);
    },
  );
  if (input.poolAside) moveHelpers(child.pid!, false);
  return { child, pid: child.pid!, port, delivery: null };
}
