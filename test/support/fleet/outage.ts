/** What a fleet does while its PostgreSQL is stopped for a while, as one test of some seconds and one of a minute. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { PostgresCluster } from '../postgres/cluster.js';
import { makeKey } from '../server/environment.js';
import { counted, ready, type TestFleet } from './fleet.js';
import type { FleetReaders } from './readers.js';

/** An edit that cannot be made is refused at once where the database refuses connections; this much is for a busy machine. */
const refusedMillisMax = 10_000;

export interface Outage {
  readonly postgres: PostgresCluster;
  readonly readers: FleetReaders;
  readonly mode: 'fast' | 'immediate';
  /** How long the database is away, at least. */
  readonly awayMillis: number;
  /** The node that is killed meanwhile, and started on what it left behind; null: none. */
  readonly killed: number | null;
}

/** Stops the database under readers, looks what is refused and what is not, and starts it again. */
export async function outage(fleet: TestFleet, how: Outage): Promise<void> {
  const { postgres, readers, mode, killed } = how;
  const revoked = await makeKey(fleet.node(0), fleet.game.id);
  const revoking = `${fleet.game.path}/keys/${revoked.id}?wait=fleet`;
  expect((await fleet.node(0).admin('DELETE', revoking)).status).toBe(200);
  const { number: before } = await fleet.edit(0, '?wait=fleet');
  await fleet.serveAll(before);

  const stoppedMs = performance.now();
  await postgres.stop(mode);
  await Promise.all(fleet.nodes.map((_, at) => expectRefused(fleet, at)));
  await fleet.allSay('unavailable');
  for (const node of fleet.nodes)
    expect(await ready(node)).toMatchObject({ status: 200, ready: true });
  if (killed !== null) {
    await readers.leave(killed);
    await fleet.kill(killed);
    await fleet.startAgain(killed);
    expect(await fleet.read(killed)).toBe(before);
    const answer = await ready(fleet.node(killed));
    expect(answer).toMatchObject({ status: 200, ready: true, store: 'unavailable' });
    await expectRefused(fleet, killed);
    readers.read(killed);
  }
  for (const [at] of fleet.nodes.entries()) {
    const asked = await fleet
      .at(at)
      .ask('POST', `/api/v1/config/${counted}`, {}, { 'x-api-key': revoked.key });
    expect(asked.status).toBe(401);
  }
  await pause(Math.max(0, how.awayMillis - (performance.now() - stoppedMs)));
  await Promise.all(fleet.nodes.map((_, at) => expectRefused(fleet, at)));

  await postgres.start();
  const after = await fleet.editAgain(1, 15_000);
  await fleet.serveAll(after, 15_000);
  await fleet.converged(25_000);
  const { key } = await makeKey(fleet.node(2), fleet.game.id);
  const { number, sequence } = await fleet.edit(0, '?wait=fleet');
  await fleet.serveAll(number);
  expect(await fleet.converged()).toBeGreaterThanOrEqual(sequence);
  for (const [at] of fleet.nodes.entries()) {
    const asked = await fleet
      .at(at)
      .ask('POST', `/api/v1/config/${counted}`, {}, { 'x-api-key': key });
    expect(asked.json).toEqual({ number });
  }
}

/** Both what changes something and what reads the store is refused, with words that say why. */
async function expectRefused(fleet: TestFleet, at: number): Promise<void> {
  const startedMs = performance.now();
  const answers = await Promise.all([
    fleet.tryEdit(at),
    fleet.node(at).admin('GET', `${fleet.game.path}/contents`),
    fleet.node(at).admin('GET', '/admin/v1/nodes'),
  ]);
  expect(performance.now() - startedMs).toBeLessThan(refusedMillisMax);
  for (const answer of answers) {
    expect(answer.status, answer.text).toBe(503);
    expect(answer.json.code).toBe('store_unavailable');
    expect(answer.json.detail).toMatch(/^The database .*(Players are served|try again)/);
  }
}
