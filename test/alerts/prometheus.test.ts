/**
 * Goal: a metric of the game stops a ramp, by the query of its brake and by an alert. Method: Debian's Prometheus scrapes a
 * metric that the test sets, and Debian's Alertmanager posts its webhook to a real server, as the operators' page sets it up.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';
import { freeLoopbackPort } from '../support/wire/loopback-port.js';

const startMsMax = 60_000;
const stopMsMax = 60_000;

const prometheusProgram = programOf('prometheus');
const alertmanagerProgram = programOf('prometheus-alertmanager');
const areThere = prometheusProgram !== null && alertmanagerProgram !== null;
if (!areThere && process.env['CI'] === undefined) console.log('skipped: no Prometheus here');

describe.skipIf(!areThere && process.env['CI'] === undefined)('a ramp', () => {
  const children: ChildProcess[] = [];
  /** What the game exports: the crash rate of each environment. */
  const crashRates = new Map<string, number>();
  let exporter: Server;
  let server: LoadoutServer;
  let game: Environment;

  beforeAll(async () => {
    exporter = createServer((_, response) => {
      const lines = [...crashRates].map(([game, rate]) => `crash_rate{game="${game}"} ${rate}\n`);
      response.setHeader('content-type', 'text/plain; version=0.0.4');
      response.end(`# TYPE crash_rate gauge\n${lines.join('')}`);
    });
    exporter.listen(0, '127.0.0.1');
    await once(exporter, 'listening');
    const prometheusPort = await freeLoopbackPort();
    const url = `http://127.0.0.1:${prometheusPort}`;
    server = await startServer({ flags: ['--prometheus-url', url] });
    game = await makeEnvironment(server);
    const alertmanagerPort = await startAlertmanager();
    await startPrometheus(prometheusPort, alertmanagerPort);
  }, 2 * startMsMax);
  afterAll(async () => {
    exporter.close();
    for (const child of children) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  });

  /** The alert's receiver, as the operators' page has it. */
  async function startAlertmanager(): Promise<number> {
    const folder = makeDataFolder();
    const port = await freeLoopbackPort();
    writeFileSync(
      join(folder, 'alertmanager.yml'),
      `route: {receiver: loadout, group_wait: 0s, group_interval: 1s}
receivers:
  - name: loadout
    webhook_configs:
      - url: ${new URL(`/admin/v1/environments/${game.id}/releases/stop`, server.adminUrl)}
        http_config: {authorization: {credentials: ${ownerToken}}}
`,
    );
    await run(alertmanagerProgram as string, port, [
      ...[`--config.file=${join(folder, 'alertmanager.yml')}`, `--storage.path=${folder}`],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    ]);
    return port;
  }

  async function startPrometheus(port: number, alertmanagerPort: number): Promise<void> {
    const folder = makeDataFolder();
    const { port: exporterPort } = exporter.address() as AddressInfo;
    writeFileSync(
      join(folder, 'rules.yml'),
      `groups:
  - name: game
    rules:
      - alert: Crashes
        expr: crash_rate{game="${game.id}"} > 0.5
        annotations: {summary: "The game crashes for {{ $value }} of the players."}
`,
    );
    writeFileSync(
      join(folder, 'prometheus.yml'),
      `global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [rules.yml]
scrape_configs:
  - {job_name: game, static_configs: [{targets: ['127.0.0.1:${exporterPort}']}]}
alerting: {alertmanagers: [{static_configs: [{targets: ['127.0.0.1:${alertmanagerPort}']}]}]}
`,
    );
    await run(prometheusProgram as string, port, [
      ...[`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${folder}/data`],
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
  }

  /** Resolves when it says that it is ready. */
  async function run(program: string, port: number, args: readonly string[]): Promise<void> {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr = `${stderr}${piece}`.slice(-5_000);
    });
    await eventually(`${program} is ready`, startMsMax, async () => {
      if (child.exitCode !== null) throw new Error(stderr);
      const answer = await send(`http://127.0.0.1:${port}`, '/-/ready', {}).catch(() => null);
      return answer?.status === 200;
    });
  }

  async function startRamp(of: Environment, brake: object | null): Promise<number> {
    await of.put('shop', '{"price":1}');
    await of.put('shop', '{"price":2}', { publish: false });
    const at = `/admin/v1/environments/${of.id}/releases`;
    const changes = [{ kind: 'content', id: 'shop' }];
    const steps = [{ percent: 10, holdMinutes: 60 }];
    const body = { title: 'Prices', changes, steps, brake };
    const { release } = expectDone(await server.admin('POST', at, body)).json;
    expectDone(await server.admin('POST', `${at}/${release}/start`, {}));
    return release;
  }

  /** Why it was stopped. */
  function stopped(of: Environment, release: number): Promise<string> {
    const at = `/admin/v1/environments/${of.id}/releases/${release}`;
    return eventually('the release is stopped', stopMsMax, async () => {
      const { state, reason } = (await server.admin('GET', at)).json;
      return state === 'stopped' ? (reason as string) : null;
    });
  }

  it('is stopped by the query of its brake', async () => {
    const other = await makeEnvironment(server);
    crashRates.set(other.id, 0.01);
    const query = `crash_rate{game="${other.id}"}`;
    const release = await startRamp(other, { query: { query, above: 0.05, minutes: 0 } });
    crashRates.set(other.id, 0.12);
    expect(await stopped(other, release)).toBe(
      `The query has been above 0.05, and is 0.12: ${query}`,
    );
  });

  it('is stopped by an alert, with its summary, and not by its end', async () => {
    crashRates.set(game.id, 0.01);
    const release = await startRamp(game, null);
    crashRates.set(game.id, 0.75);
    expect(await stopped(game, release)).toBe('The game crashes for 0.75 of the players.');
    crashRates.set(game.id, 0.01);
    const at = `/admin/v1/environments/${game.id}/releases`;
    const over = { status: 'resolved', alerts: [], version: '4' };
    const next = await startRamp(game, null);
    expectDone(await server.admin('POST', `${at}/${next}/stop`, over));
    expectDone(await server.admin('POST', `${at}/stop`, over));
    expect((await server.admin('GET', `${at}/${next}`)).json.state).toBe('ramping');
  });
});

function programOf(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
