/** That the background work of a fleet is done once, by whoever is there; and that what people do on one node holds on all. */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { TestFleet } from '../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { expectDone } from '../support/server/environment.js';
import { ownerToken } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';
import { status, WebhookReceiver } from '../support/wire/webhook-receiver.js';

describe.skipIf(!hasPostgres)('the background work of three nodes', () => {
  let fleet: TestFleet;
  beforeAll(async () => {
    fleet = await TestFleet.start({ url: await freshDatabase(), flags: ['--webhooks-to-local'] });
  });

  async function choresAt(): Promise<number[]> {
    const metrics = await Promise.all(fleet.nodes.map((node) => node.admin('GET', '/metrics')));
    return metrics.flatMap(({ text }, at) => (/^loadout_chores 1$/m.test(text) ? [at] : []));
  }

  it('sends every event once, whichever node the edit was made on', async () => {
    const receiver = await WebhookReceiver.start();
    const webhook = { url: receiver.url, events: ['content.published'] };
    const made = expectDone(await fleet.node(1).admin('POST', '/admin/v1/webhooks', webhook)).json;
    for (let edits = 0; edits < 9; edits++) await fleet.edit(edits % 3);
    await receiver.have(9);
    expect(await choresAt()).toHaveLength(1);
    // What would be sent twice would come about now.
    await pause(1_000);
    expect(receiver.types).toHaveLength(9);
    const sequences = receiver.received.map(({ body }) => body.data.sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expectDone(await fleet.node(2).admin('DELETE', `/admin/v1/webhooks/${made.id}`));
  });

  it('is taken over within seconds from a node that is killed, with all that waits', async () => {
    const receiver = await WebhookReceiver.start();
    // Whoever sends now hangs on its first message, and is killed with it.
    receiver.react = () => undefined;
    const webhook = { url: receiver.url, events: ['content.published'] };
    const made = expectDone(await fleet.node(1).admin('POST', '/admin/v1/webhooks', webhook)).json;
    const [leader = -1] = await choresAt();
    const other = (leader + 1) % 3;
    const numbers: number[] = [];
    for (let edits = 0; edits < 5; edits++) numbers.push((await fleet.edit(other)).sequence);
    await receiver.have(1);
    receiver.react = status(204);
    await fleet.kill(leader);
    const killedMs = performance.now();
    await eventually('all that waited is sent', 30_000, () => {
      const sent = receiver.received.map(({ body }) => body.data.sequence);
      return numbers.every((number) => sent.includes(number));
    });
    expect(performance.now() - killedMs).toBeLessThan(20_000);
    await fleet.startAgain(leader);
    expect(await choresAt()).toHaveLength(1);
    expectDone(await fleet.node(other).admin('DELETE', `/admin/v1/webhooks/${made.id}`));
  }, 60_000);
});

describe.skipIf(!hasPostgres)('what people do on one node', () => {
  let fleet: TestFleet;
  beforeAll(async () => {
    fleet = await TestFleet.start({ url: await freshDatabase(), names: ['a', 'b'] });
  });

  it('is shown at once to those who follow the audit on another', async () => {
    const stop = new AbortController();
    const stream = await fetch(`${fleet.node(1).adminUrl}/admin/v1/audit/stream`, {
      headers: { authorization: `Bearer ${ownerToken}` },
      signal: stop.signal,
    });
    expect(stream.status).toBe(200);
    const { sequence } = await fleet.edit(0);
    expect(sequence).toBeGreaterThan(0);
    let told = '';
    const late = setTimeout(() => stop.abort(), 5_000);
    for await (const piece of stream.body ?? []) {
      told += Buffer.from(piece).toString();
      if (told.includes('content.put')) break;
    }
    clearTimeout(late);
    stop.abort();
    expect(told).toContain('counter');
  });

  it('signs them in on all of them', async () => {
    const headers = { 'content-type': 'application/json', 'x-loadout-console': '1' };
    const signedIn = await send(fleet.node(0).adminUrl, '/admin/v1/session', {
      method: 'POST',
      headers,
      body: JSON.stringify({ token: ownerToken }),
    });
    expect(signedIn.status).toBe(201);
    const cookie = signedIn.header('set-cookie').split(';')[0] ?? '';
    const there = await send(fleet.node(1).adminUrl, '/admin/v1/me', { headers: { cookie } });
    expect(there.status).toBe(200);
  });
});
