/** The audit of a real server: its streams end with it, its options count, and wrong tokens are slowed down. */
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectDone } from '../../support/server/environment.js';
import { serveUntilExit, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';
import { type Answer, send } from '../../support/wire/exchange.js';

const guessesMax = 200;

let server: LoadoutServer;

beforeAll(async () => {
  server = await startServer({
    listeners: 1,
    flags: ['--admin-trust-proxy', '127.0.0.1', '--audit-days', '7'],
  });
});
afterAll(() => server.stop());

function guess(token: string, from: string): Promise<Answer> {
  return send(server.adminUrl, '/admin/v1/me', {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
  });
}

describe('who tries tokens', () => {
  it('is answered 429 after a while, others and right tokens are not', async () => {
    expect((await guess(ownerToken, '192.0.2.1')).status).toBe(200);
    let last = await guess('wrong', '192.0.2.1');
    for (let count = 0; count < guessesMax && last.status === 401; count += 1) {
      last = await guess(`wrong-${count}`, '192.0.2.1');
    }
    expect([last.status, last.json.code]).toEqual([429, 'rate_limited']);
    expect(Number(last.header('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await guess('wrong', '192.0.2.2')).status).toBe(401);
    expect((await guess(ownerToken, '192.0.2.1')).status).toBe(200);
    const { events } = expectDone(
      await server.admin('GET', '/admin/v1/audit?action=token.refuse'),
    ).json;
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ address: '192.0.2.1', userName: 'system' });
    expect(server.stderr).not.toContain('wrong-1');
  });
});

describe('a stream of the audit', () => {
  it('ends in order when the server is told to stop', async () => {
    const own = await startServer({ listeners: 1 });
    const agent = new http.Agent({ keepAlive: true });
    const stream = send(own.adminUrl, '/admin/v1/audit/stream?from=2000-01-01T00:00:00Z', {
      headers: { authorization: `Bearer ${ownerToken}` },
      agent,
    });
    expectDone(await own.admin('POST', '/admin/v1/environments', { id: 'made' }));
    expect((await own.stop()).code).toBe(0);
    // A stream that is cut off would reject here.
    const { status, text } = await stream;
    agent.destroy();
    expect(status).toBe(200);
    expect(text.endsWith('\n')).toBe(true);
  });
});

describe('the options', () => {
  it.each([
    [['--audit-days', '0'], '--audit-days'],
    [['--audit-days', 'ever'], '--audit-days'],
    [['--admin-trust-proxy', 'everybody'], '--admin-trust-proxy'],
    [['--admin-trust-proxy', '10.0.0.0/99'], '--admin-trust-proxy'],
    [['--last-used-seconds', '0'], '--last-used-seconds'],
  ])('refuse %j', async (flags, named) => {
    const exit = await serveUntilExit({ flags });
    expect(exit.code).toBe(2);
    expect(exit.stderr).toContain(named);
  });
});
