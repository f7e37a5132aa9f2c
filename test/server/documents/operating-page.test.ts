/** Figures of the operators' page that stand on a setting of ours or of the front end: each is looked up where it comes from. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  inlineDocumentsBytesMax,
  parsedBytesMax,
  renderedBytesMax,
  selectionsBytesMax,
  unsentBytesMax,
} from '../../../src/delivery/limits.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { makeCertificate } from '../../support/wire/certificate.js';

const page = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const MiB = 1024 * 1024;

it('the sum of memory is made of the limits that the code has', () => {
  const shared = [renderedBytesMax, inlineDocumentsBytesMax, selectionsBytesMax, unsentBytesMax];
  const cells = shared.map((bytes) => bytes / MiB).join('; ');
  expect(page).toContain(
    `| rendered bodies; parsed contents; selections; unread responses | 0 | ${cells}: `,
  );
  const ofWorker = parsedBytesMax / MiB;
  expect(page).toContain(`| each of its workers | 14 | 14, and ${ofWorker} of parsed contents |`);
  const [itself, combined, heap] = [110, 40, 300];
  const sum = shared.reduce((all, bytes) => all + bytes / MiB, itself + combined + heap);
  expect(Math.abs(sum - 1_100)).toBeLessThan(20);
  expect(page).toContain(`\`1,100 + ${ofWorker} x workers + contents\` MiB`);
});

it('the table of memory is what the formula gives', () => {
  const rows = [
    ...page.matchAll(/^\| (\d+) \| (\d+) \| [\d.]+ GiB \| ([\d.]+) GiB \| (\d+)G \|/gm),
  ];
  expect(rows).toHaveLength(4);
  for (const [, cores, processes, most, limit] of rows) {
    const count = Number(processes);
    expect(count).toBe(Number(cores) - 1);
    const GiB = (1_230 * count + (4 * 1_000 * count) / 1_024 + 1_600) / 1_024;
    expect(Math.abs(GiB - Number(most))).toBeLessThan(0.1);
    expect(Number(limit)).toBeGreaterThan(GiB);
  }
});

describe('a server with two delivery processes', () => {
  let server: LoadoutServer;

  beforeAll(async () => {
    server = await startServer({ listeners: 2 });
  });
  afterAll(() => server.stop());

  it('has an accept queue of 512 connections in each', (context) => {
    const words = ['-ltnH', `sport = :${server.deliveryPort}`];
    const { error, stdout } = spawnSync('ss', words, { encoding: 'utf8' });
    if (error !== undefined) context.skip('there is no ss to ask');
    const kernelMax = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
    const queues = stdout
      .trim()
      .split('\n')
      .map((line) => Number(line.split(/\s+/)[2]));
    expect(queues).toEqual([Math.min(512, kernelMax), Math.min(512, kernelMax)]);
    expect(page).toContain('for 512 connections');
  });
});

describe('TLS sessions', () => {
  let server: LoadoutServer;

  beforeAll(async () => {
    const folder = makeDataFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    makeCertificate(cert, key);
    server = await startServer({ listeners: 1, flags: ['--tls-cert', cert, '--tls-key', key] });
  });
  afterAll(() => server.stop());

  /** One connection with one request; its session, and whether it resumed the one given. */
  function visit(
    version: 'TLSv1.2' | 'TLSv1.3',
    session?: Buffer,
  ): Promise<{ session: Buffer; resumed: boolean }> {
    return new Promise((resolve, reject) => {
      const socket = connect({
        ...{ host: '127.0.0.1', port: server.deliveryPort, rejectUnauthorized: false },
        ...{ minVersion: version, maxVersion: version },
        ...(session === undefined ? {} : { session }),
      });
      let newest = session;
      socket.on('session', (given) => {
        newest = given;
      });
      socket.on('error', reject);
      socket.on('data', () => {
        if (newest === undefined) reject(new Error('the server gave no session'));
        else resolve({ session: newest, resumed: socket.isSessionReused() });
        socket.destroy();
      });
      socket.write('GET /healthz HTTP/1.1\r\nHost: loadout\r\n\r\n');
    });
  }

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'resume at the process that made them (%s)',
    async (version) => {
      const first = await visit(version);
      expect(first.resumed).toBe(false);
      for (let i = 0; i < 4; i++) expect((await visit(version, first.session)).resumed).toBe(true);
    },
  );
});
