/** Requests to a parent over TLS, and reports that wait for one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyRefused, ParentRequests } from '../../../../src/management/follow/parent-requests.js';
import { ParentStore } from '../../../../src/management/follow/parent-store.js';
import { RelayedReports } from '../../../../src/management/follow/relayed-reports.js';
import type { Relayed } from '../../../../src/management/follow/wire.js';
import { relayedBytesMax, relayedPerReportMax } from '../../../../src/management/limits/follow.js';
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
    return store.position({ sequence: 0, mark: '' }, false).finally(() => requests.close());
  }

  it('is asked where its certificate is one of --follow-ca', async () => {
    expect(await ask(cert)).toMatchObject({ sequence: 7, mark: 'm' });
  });

  it('gets no token where it is not', async () => {
    await expect(ask(null)).rejects.toThrow(StoreUnavailable);
  });
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
