/** A server that has all there is, with TLS and stored events, and one that follows it show all metrics of docs/metrics.md, and no others. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { FollowToken, followedFlags, startFollower } from '../../support/fleet/follow-tree.js';
import { differences, scrape } from '../../support/metrics-page.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { makeCertificate } from '../../support/wire/certificate.js';

it('a scrape is what docs/metrics.md lists', async () => {
  const [data, folder] = [makeDataFolder(), makeDataFolder()];
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  makeCertificate(cert, key);
  const sealed = join(data, 'events/sealed');
  mkdirSync(sealed, { recursive: true });
  const event = { t: 'metric', n: 'level', x: 3, at: Date.now() - 1_000, eid: '1' };
  const line = { r: event.at, env: 'live', u: 'ann', k: 0, e: event };
  writeFileSync(join(sealed, '7-1-0.ndjson'), `${JSON.stringify(line)}\n`);
  const token = new FollowToken();
  const flags = [
    ...['--tls-cert', cert, '--tls-key', key, '--otlp-url', 'http://127.0.0.1:9'],
    ...followedFlags(token),
  ];
  const server = await startServer({ data, listeners: 1, flags });
  expect((await server.admin('POST', '/admin/v1/backup')).status).toBe(200);
  const found = await eventually('events are stored, and the backup is noted', 60_000, async () => {
    const now = await scrape(server);
    const names = ['loadout_events_stored_bytes', 'loadout_backup_last_success_bytes'];
    const all = { ...now, metrics: new Map(now.metrics) };
    return names.every((name) => now.metrics.has(name)) ? all : null;
  });
  const follower = await startFollower({ name: 'one', token, parents: [server.followUrl] });
  const { metrics } = await scrape(follower);
  for (const name of ['loadout_parent_up', 'loadout_follow_reports_dropped_total']) {
    const one = metrics.get(name);
    expect(one, name).toBeDefined();
    if (one !== undefined) found.metrics.set(name, one);
  }
  expect(differences(found, ['loadout_environment_refused_total'])).toEqual([]);
  await follower.stop();
  await server.stop();
});
