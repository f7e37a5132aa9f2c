/** Each query of the dashboard, asked of a Prometheus that scrapes a server under load and its follower: it has something to show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { FollowToken, followedFlags, startFollower } from '../support/fleet/follow-tree.js';
import { expectDone, makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { makeCertificate } from '../support/wire/certificate.js';
import { OtlpCollector } from '../support/wire/otlp-collector.js';
import { hasPrometheus, Prometheus } from './prometheus.js';
import { SteadyLoad } from './steady-load.js';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

const { panels, annotations } = JSON.parse(
  readFileSync(new URL('../../deploy/grafana/loadout.json', import.meta.url), 'utf8'),
) as { panels: Panel[]; annotations: { list: { expr: string }[] } };

const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ refId, expr }) => ({ title, refId, expr })),
);

/** As Grafana fills in its variables, with all servers chosen. */
const filled = (expr: string): string =>
  expr
    .replaceAll('$job', 'loadout')
    .replaceAll('$instance', '.*')
    .replaceAll('$__rate_interval', '20s');

/** Until each kind of request was made, and scraped more than once. */
const loadMsMax = 60_000;

describe.skipIf(!hasPrometheus)('the dashboard', () => {
  let prometheus: Prometheus;
  let collector: OtlpCollector;
  let server: LoadoutServer;
  let follower: LoadoutServer;
  let load: SteadyLoad;

  beforeAll(async () => {
    prometheus = await Prometheus.start();
    collector = await OtlpCollector.start();
    const folder = makeDataFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    makeCertificate(cert, key);
    const token = new FollowToken();
    server = await startServer({
      flags: [
        ...['--tls-cert', cert, '--tls-key', key, '--otlp-url', collector.url],
        ...['--events-store-seconds', '5', ...followedFlags(token)],
      ],
    });
    follower = await startFollower({ name: 'two', parents: [server.followUrl], token });
    const game = await makeEnvironment(server);
    await game.put('shop', '{"price":0}');
    const metric = { kind: 'sum', event: 'sale' };
    expectDone(await server.admin('PUT', `${game.path}/metrics/sales`, metric));
    expectDone(await server.admin('POST', '/admin/v1/backup'));
    prometheus.target('one', server.adminUrl);
    prometheus.target('two', follower.adminUrl);
    const ca = readFileSync(cert, 'utf8');
    load = new SteadyLoad(game, () => [{ server, ca }]);
    await eventually(
      'a rejected request was counted, and events were stored',
      loadMsMax,
      async () => {
        const seen = await Promise.all(
          [
            'rate(loadout_environment_refused_total[20s])',
            'rate(loadout_refused_total[20s])',
            'rate(loadout_events_taken_total[20s]) > 0',
            'rate(loadout_trace_spans_exported_total[20s]) > 0',
          ].map((query) => prometheus.query(query)),
        );
        return seen.every(({ length }) => length > 0);
      },
    );
  }, 2 * loadMsMax);

  afterAll(async () => {
    await load?.stop();
    await follower?.stop();
    await server?.stop();
    await prometheus?.stop();
    collector?.close();
  });

  it.each(queries)('shows $title ($refId)', async ({ expr }) => {
    const series = await prometheus.query(filled(expr));
    expect(series.length, filled(expr)).toBeGreaterThan(0);
    expect(series.some(({ value: [, value] }) => Number.isFinite(Number(value)))).toBe(true);
  });

  it('shows alerts as annotations, of which there is none now', async () => {
    for (const { expr } of annotations.list) {
      expect(await prometheus.query(filled(expr))).toEqual([]);
    }
  });

  it('lets a server be chosen, by the labels of its build', async () => {
    const builds = await prometheus.query('loadout_build_info{job="loadout"}');
    expect(builds.map(({ metric }) => metric['instance']).sort()).toEqual(['one', 'two']);
  });
});
