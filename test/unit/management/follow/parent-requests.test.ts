/** Requests to a parent, over TLS too, and reports that wait for one. */
import { constants } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BodyRefused, ParentRequests } from '../../../../src/management/follow/parent-requests.js';
import { ParentStore } from '../../../../src/management/follow/parent-store.js';
import { RelayedReports } from '../../../../src/management/follow/relayed-reports.js';
import type { Relayed } from '../../../../src/management/follow/relayed-schema.js';
import {
  followLineCharsMax,
  relayedBytesMax,
  relayedPerReportMax,
} from '../../../../src/management/limits/follow.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import { makeCertificate } from '../../../support/wire/certificate.js';

describe('a parent behind TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
  const [cert, key, tokenFile] = ['cert.pem', 'key.pem', 'token'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  let url: string;
  let end: () => void;
  beforeAll(async () => {
    makeCertificate(cert, key);
    writeFileSync(tokenFile, 'lof_test\n');
    const pair = { cert: readFileSync(cert), key: readFileSync(key) };
    const server = createServer(pair, (request, response) => {
      const isKnown = request.headers.authorization === 'Bearer lof_test';
      const place = { sequence: 7, mark: 'm', storeId: 's', servesNothing: false };
      response.writeHead(isKnown ? 200 : 401);
      response.end(JSON.stringify(place));
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
    end = () => {
      server.closeAllConnections();
      server.close();
    };
  });
  afterAll(() => {
    end();
    rmSync(folder, { recursive: true, force: true });
  });

  function ask(caFile: string | null) {
    const requests = new ParentRequests({ urls: [url], tokenFile, caFile });
    const store = new ParentStore(requests, join(folder, 'published.db'), '');
    return store.look().finally(() => requests.close());
  }

  it('is asked where its certificate is one of --follow-ca', async () => {
    expect(await ask(cert)).toEqual({ id: 's', servesNothing: false });
  });

  it('gets no token where it is not', async () => {
    await expect(ask(null)).rejects.toThrow(StoreUnavailable);
  });
});

describe('a parent that sends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
  const tokenFile = join(folder, 'token');
  const idleMs = 300;
  let server: Server;
  let requests: ParentRequests;
  /** What it responds with. */
  let send: (response: ServerResponse) => unknown;
  beforeAll(async () => {
    writeFileSync(tokenFile, 'lof_test\n');
    server = createPlainServer((_request, response) => send(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const urls = [`http://127.0.0.1:${port}`];
    requests = new ParentRequests({ urls, tokenFile, caFile: null }, idleMs, 3 * idleMs);
  });
  afterAll(() => {
    requests.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const lines = () => requests.lines({ path: '/', schema: z.string() });
  const head = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  const line = (n: number): string => `"${n} ${randomBytes(1024).toString('hex')}"\n`;

  it('is read to its end by a reader that is busy for longer than a wire may be idle', async () => {
    // More than the buffers of a connection hold.
    const sent = Array.from({ length: 12_000 }, (_, n) => line(n));
    const compressed = gzipSync(sent.join(''), { level: 1 });
    send = (response) => response.writeHead(200, head).end(compressed);
    let count = 0;
    for await (const _ of lines()) {
      count += 1;
      // At the start most of it is on its way; at the end all of it has come, and waits to be decompressed.
      if (count === 1 || count === sent.length - 100) await pause(3 * idleMs);
    }
    expect(count).toBe(sent.length);
  });

  it('is given up when nothing comes any more', async () => {
    send = (response) => {
      response.writeHead(200, head);
      response.write(gzipSync(line(1)));
    };
    const read = lines();
    expect((await read.next()).value).toMatch(/^1 /);
    await expect(read.next()).rejects.toThrow('broke off');
  });

  it('may make what it sends for longer than a wire may be idle, once it has begun to respond', async () => {
    send = async (response) => {
      response.writeHead(200, head).flushHeaders();
      await pause(2 * idleMs);
      response.end(gzipSync(line(1)));
    };
    expect((await lines().next()).value).toMatch(/^1 /);
    send = (response) => response.writeHead(200, head).flushHeaders();
    await expect(lines().next()).rejects.toThrow('broke off');
  });

  it('is left for the next one when it begins to respond and breaks off', async () => {
    const { port } = server.address() as AddressInfo;
    const urls = [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1'];
    const both = new ParentRequests({ urls, tokenFile, caFile: null }, idleMs);
    send = (response) => {
      response.writeHead(200, head).flushHeaders();
      response.destroy();
    };
    await expect(both.lines({ path: '/', schema: z.string() }).next()).rejects.toThrow('broke off');
    expect(both.url).toBe(urls[1]);
    both.close();
  });

  it('is not asked without a token, which the error says', async () => {
    const urls = [requests.url];
    const without = new ParentRequests({ urls, tokenFile: join(folder, 'gone'), caFile: null });
    await expect(without.json({ path: '/', schema: z.string() })).rejects.toThrow(
      '--follow-token-file cannot be read',
    );
    without.close();
  });

  it('is given up when it begins to respond and says nothing', async () => {
    send = (response) => response.writeHead(200).flushHeaders();
    await expect(requests.json({ path: '/', schema: z.string() })).rejects.toThrow('broke off');
    send = () => undefined;
    await expect(requests.json({ path: '/', schema: z.string() })).rejects.toThrow(
      'does not respond',
    );
  });
});

it('a line holds a text of 255 MiB of quotes, and is a string at most', () => {
  const escaped = 2 * 255 * 1024 * 1024;
  const around = JSON.stringify({ digest: '0'.repeat(64), text: '' }).length;
  expect(escaped + around).toBeLessThanOrEqual(followLineCharsMax);
  expect(followLineCharsMax).toBeLessThanOrEqual(constants.MAX_STRING_LENGTH);
});

describe('reports that wait for a parent', () => {
  const log = pino({ level: 'silent' });
  const part = { environment: 'game', experiment: 'e', phase: 1, day: '2026-01-01', users: '' };

  it('are given again after a failure where they count by union, and once otherwise', async () => {
    const reports = new RelayedReports(log);
    reports.add('assigned', [part]);
    reports.add('used', [['0'.repeat(64), 1]]);
    const away = async (): Promise<void> => {
      throw new StoreUnavailable(null, 'away');
    };
    await expect(reports.pass(away)).rejects.toThrow('away');
    const taken: Relayed[] = [];
    await reports.pass(async (relayed) => void taken.push(relayed));
    expect(taken[0]).toMatchObject({ assigned: [part], used: [] });
    expect(reports.isEmpty).toBe(true);
  });

  it('are dropped where the parent refuses them as they are', async () => {
    const reports = new RelayedReports(log);
    reports.add('assigned', [part]);
    const refuse = async (): Promise<void> => {
      throw new BodyRefused(null, 'refused');
    };
    await expect(reports.pass(refuse)).rejects.toThrow('refused');
    expect(reports.isEmpty).toBe(true);
    expect(reports.gauges()[0]?.value).toBe(1);
  });

  it('are bounded, all together and in one report', async () => {
    const reports = new RelayedReports(log);
    const large = { ...part, users: 'A'.repeat(1024 * 1024) };
    for (let n = 0; n < 40; n += 1) reports.add('assigned', [large]);
    expect(reports.gauges()[0]?.value).toBeGreaterThan(0);
    let bytes = 0;
    while (!reports.isEmpty) {
      await reports.pass(async (relayed) => {
        bytes += JSON.stringify(relayed.assigned).length;
        expect(relayed.assigned.length).toBeLessThanOrEqual(4);
      });
    }
    expect(bytes).toBeLessThan(relayedBytesMax + 1024);
    for (let n = 0; n < relayedPerReportMax + 1; n += 1) reports.add('assigned', [part]);
    await reports.pass(async ({ assigned }) => {
      expect(assigned).toHaveLength(relayedPerReportMax);
    });
  });
});
