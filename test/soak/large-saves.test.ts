/**
 * Goal: 48 saves of 52 MB at once cost the control process a bounded amount of memory, not 48 times their own.
 * Method: a real server; every save is sent at the same moment over a connection of its own, and the resident memory of
 * the control process is read from the kernel while they are under way. Its worker threads are in that figure. Small
 * saves are made meanwhile.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

const saves = 48;
/** Nearly the largest text; escaped quotes and line breaks make a body of 52 MB of it. */
const textBytes = 31 * 1024 * 1024;
/** It was 5.7 GB, with bodies of 41 MB. Two bodies at a time, their parsed forms, and two workers that look through them. */
const residentBytesMax = 1.6 * 1024 ** 3;
/** A small save beside them: it waits for nothing but the control thread, which parses 52 MB in a part of a second. */
const smallSaveMsMax = 5_000;

let server: LoadoutServer;
let game: Environment;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server);
});
afterAll(() => server.stop());

it('keeps the memory of the control process bounded while 48 saves of 52 MB come at once', async () => {
  const body = largeBody();
  const state = { done: false, peak: 0, slowest: 0, small: 0 };
  const before = residentBytes(server.pid);
  const watching = watch(state);
  const startedMs = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: saves }, (_, at) => put(`large-${at}`, body)),
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  state.done = true;
  await watching;
  console.log(
    `${saves} saves of ${megabytes(body.byteLength)} MB in ${seconds.toFixed(1)} s: ` +
      `${statuses.filter((status) => status === 201).length} were made; ` +
      `resident ${megabytes(before)} -> at most ${megabytes(state.peak)} MB; ` +
      `${state.small} small saves meanwhile, the slowest ${Math.round(state.slowest)} ms`,
  );
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
  expect(state.peak).toBeLessThan(residentBytesMax);
  expect(state.slowest).toBeLessThan(smallSaveMsMax);
}, 300_000);

function largeBody(): Buffer {
  const row = '{\n"a":"",\n"c":""\n},\n';
  const rows = row.repeat(Math.floor(textBytes / row.length));
  return Buffer.from(JSON.stringify({ text: `[${rows}0]`, publish: false }));
}

/** A connection of its own, and no time limit: each waits for its turn. */
function put(id: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${server.adminUrl}${game.path}/contents/${id}`, {
      method: 'PUT',
      agent: false,
      headers: {
        authorization: `Bearer ${ownerToken}`,
        'content-type': 'application/json',
        'content-length': body.byteLength,
      },
    });
    request.on('response', (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function watch(state: { done: boolean; peak: number; slowest: number; small: number }) {
  const measuring = (async () => {
    while (!state.done) {
      state.peak = Math.max(state.peak, residentBytes(server.pid));
      await pause(20);
    }
  })();
  while (!state.done) {
    const startedMs = performance.now();
    const answer = await server.admin('PUT', `${game.path}/contents/small`, {
      text: JSON.stringify({ at: startedMs }),
    });
    expect(answer.status).toBeLessThan(300);
    state.slowest = Math.max(state.slowest, performance.now() - startedMs);
    state.small += 1;
    await pause(100);
  }
  await measuring;
}

function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? 0) * 1024;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
