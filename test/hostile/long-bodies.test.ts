/** Bodies of refreshes, up to 1 MiB: what they may be made of, and what many of them that arrive slowly may hold. */
import { describe, expect, it } from 'vitest';
import { makeShop, serveEnvironment } from '../support/server/served-environment.js';
import { head, openConnection } from '../support/wire/raw-connection.js';
import { expectRefusal } from '../support/wire/refusal.js';

const MiB = 1024 * 1024;
const valuesMax = 20_000;

const served = serveEnvironment(makeShop);

/** A body of a given length with so many commas and opening brackets, 3 or more. */
function bodyOf(values: number, bytes: number): string {
  const list = `"p":{"a":[${'1,'.repeat(values - 4)}1]}`;
  const start = `{${list},"pad":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
}

describe('a long body is parsed only if it has few values', () => {
  it('as many as a refresh can need', async () => {
    expect((await served.game.refresh(bodyOf(valuesMax, 100_000))).status).toBe(200);
    const beyond = await served.game.refresh(bodyOf(valuesMax + 1, 100_000));
    expectRefusal(beyond, 400, 'invalid_body');
    expect(beyond.json.detail).toContain('20,000');
  });

  it('and not a million brackets, nor a hundred thousand names', async () => {
    const names = Array.from({ length: 60_000 }, (_, at) => `"${at}-":1`).join();
    const nested = `{"p":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`;
    for (const body of ['['.repeat(MiB), nested, `{"p":{${names}}}`]) {
      expectRefusal(await served.game.refresh(body), 400, 'invalid_body');
    }
  });

  it('while one of ordinary length may have any number', async () => {
    expect((await served.game.refresh(bodyOf(30_000, 64 * 1024))).status).toBe(200);
  });
});

it('many long bodies that arrive slowly: the first are dropped, and others go on', async () => {
  const body = JSON.stringify({ have: {}, pad: 'x'.repeat(MiB - 100) });
  const begun = 900_000;
  const count = 80;
  const connections = await Promise.all(
    Array.from({ length: count }, () => openConnection(served.server.deliveryPort)),
  );
  const headers: [string, string][] = [
    ['X-Api-Key', served.game.key],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.length)],
  ];
  for (const connection of connections) {
    await connection.write(head('POST', '/api/v1/refresh', headers) + body.slice(0, begun));
    // The server reads what has arrived before it responds to what arrives later.
    for (let n = 0; n < 3; n += 1) expect((await served.game.refresh()).status).toBe(200);
  }
  expect((await served.game.refresh(body)).status).toBe(200);
  const statuses: number[] = [];
  for (const connection of connections) {
    await connection.write(body.slice(begun));
    const answer = await connection.read();
    if (answer.status !== 200) {
      expectRefusal(answer, 503, 'overloaded');
      expect(answer.headers['retry-after']).toMatch(/^[1-4]$/);
    }
    statuses.push(answer.status);
    connection.close();
  }
  // 64 MiB are 64 to 74 of these, by how much room their buffers have.
  const dropped = statuses.filter((status) => status === 503).length;
  expect(dropped).toBeGreaterThanOrEqual(count - 74);
  expect(dropped).toBeLessThanOrEqual(count - 60);
});
