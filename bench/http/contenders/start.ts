/** Starts a contender by its kind, on the core it is given. */
import { resolve } from 'node:path';
import { deliveryEnvironment } from '../../../src/published/barrier.js';
import { heard, startNode } from '../../measure/child.js';
import type { ContenderKind, Server, ServerInput } from './contender.js';
import { startLoadout } from './loadout.js';

export function startServer(kind: ContenderKind, input: ServerInput): Promise<Server> {
  return kind === 'loadout' ? startLoadout(input) : startPlain(`${kind}-process.js`, input);
}

async function startPlain(file: string, input: ServerInput): Promise<Server> {
  const script = resolve(import.meta.dirname, file);
  const child = startNode(script, [JSON.stringify(input)], {
    core: input.core,
    env: { ...deliveryEnvironment },
  });
  const port = await heard(child, 30_000, (message) => (message as { port?: number }).port);
  return { child, pid: child.pid!, port, delivery: null };
}
