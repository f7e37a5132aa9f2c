/** The demo's made-up players, and the receiver of its webhooks. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readDemoGame } from '../../../../src/command/demo/demo-game.js';
import { storedAttributes } from '../../../../src/command/demo/player-attributes.js';
import { reportOf } from '../../../../src/command/demo/player-reports.js';
import { Players } from '../../../../src/command/demo/players.js';
import {
  brokenPath,
  flakyPath,
  gonePath,
  startReceiver,
  steadyPath,
} from '../../../../src/command/demo/webhook-receiver.js';
import { eventually } from '../../../support/eventually.js';

const keys = { production: 'key-of-production', staging: 'key-of-staging' };

describe('requests of players', () => {
  const players = new Players('http://127.0.0.1:1', keys);
  const asked = Array.from({ length: 2_000 }, () => players.nextRequest());

  it('are mostly for what there is, with either key, on every route', async () => {
    const ids = new Set((await readDemoGame(0)).contents.keys());
    const named = asked.flatMap(({ path }) => /config\/([\w-]+)/.exec(path)?.[1] ?? []);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
    const share = (wanted: RegExp): number =>
      asked.filter(({ path }) => wanted.test(path)).length / asked.length;
    expect(share(/\/dynamic$/)).toBeGreaterThan(0.3);
    expect(share(/\/combine\//)).toBeGreaterThan(0.2);
    expect(share(/\/catalog$/)).toBeGreaterThan(0.04);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(3);
    expect(asked.filter(({ key }) => key === keys.staging).length).toBeGreaterThan(50);
  });

  it('come from hundreds of players', () => {
    const players = new Set(asked.map(({ body }) => body));
    expect(players.size).toBeGreaterThan(300);
    for (const body of players) if (body !== null) expect(JSON.parse(body).p).toBeTypeOf('object');
  });

  it('have the attributes that they report their events with', () => {
    const { body } = asked.find((one) => one.reports !== undefined) ?? {};
    const { u, p } = JSON.parse(body ?? '');
    const response = { meta: { seg: [{ n: 'push-hour', v: 'control' }] } };
    const report = JSON.parse(reportOf(u, 'notifications', response) ?? '');
    expect(report.p).toEqual({ country: p.country, platform: p.platform });
    expect(Object.keys(report.p)).toEqual(storedAttributes);
  });
});

describe('players', () => {
  it.each([
    ['is answered', true],
    ['waits', false],
  ])('come in at some tens a second, and stop at once while each %s', async (_what, answers) => {
    let arrived = 0;
    const server = createServer((request, response) => {
      request.resume();
      arrived++;
      if (answers) response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const connections = promisify(server.getConnections.bind(server));
    const { port } = server.address() as AddressInfo;
    const players = new Players(`http://127.0.0.1:${port}`, keys);
    players.start();
    // Without an answer, no more arrive than there are connections; by then others wait for one.
    await eventually('some requests', 5_000, () => arrived >= (answers ? 20 : 8));
    await pause(300);
    players.stop();
    await eventually('no connection is left', 2_000, async () => (await connections()) === 0);
    const before = arrived;
    // At their slowest they would send eight in this time.
    await pause(500);
    expect(arrived).toBe(before);
  });

  it('do not mind a server that is gone', async () => {
    const players = new Players('http://127.0.0.1:1', keys);
    players.start();
    await pause(250);
    players.stop();
  });
});

describe('the receiver of the webhooks', () => {
  it('accepts messages, fails now and then, has failed since some time, or is gone', async () => {
    const receiver = await startReceiver(Date.UTC(2026, 10, 21));
    onTestFinished(() => receiver.close());
    const send = async (
      path: string,
      id = 'evt_1',
      at = '2026-11-20T00:00:00Z',
    ): Promise<number> => {
      const body = JSON.stringify({ timestamp: at });
      const headers = { 'webhook-id': id };
      return (await fetch(receiver.url + path, { method: 'POST', body, headers })).status;
    };
    expect(await send(steadyPath)).toBe(204);
    expect(await send(gonePath)).toBe(410);
    expect([
      await send(brokenPath),
      await send(brokenPath, 'evt_1', '2026-11-21T09:00:00Z'),
    ]).toEqual([204, 500]);
    const first: number[] = [];
    for (let n = 0; n < 5; n++) first.push(await send(flakyPath, `evt_${n}`));
    expect(first).toEqual([204, 204, 204, 204, 503]);
    expect(await send(flakyPath, 'evt_4')).toBe(204);
  });
});
