/*
 * Goal: what deploy/image/Containerfile describes starts, serves and ends as a container should. Method: there is no container engine,
 * so the root file system of its final stage is made with debootstrap, and its program runs in namespaces, as the recipe says.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { makeDataFolder } from '../support/server/server.js';
import { send } from '../support/wire/exchange.js';
import { Container } from './container.js';
import { readRecipe } from './containerfile.js';
import { makeImage, whyNoContainer } from './root-file-system.js';

// Debian is downloaded once; the package is packed and installed each time.
const imageMillisMax = 600_000;
const replaceMillisMax = 20_000;
const storeMillisMax = 30_000;
const drainSeconds = 60;
const key = 'image-key-0123456789abcdef';

const missing = whyNoContainer();
if (missing !== null) console.warn(`the image is not tested: ${missing}`);

// In CI whatever is missing fails the test: nobody would read there why it was skipped.
describe.skipIf(missing !== null && process.env['CI'] === undefined)('the image', () => {
  const recipe = readRecipe();
  const folder = makeDataFolder();
  const root = join(folder, 'root');
  const data = join(folder, 'data');
  let container: Container;

  beforeAll(async () => {
    await makeImage(root, join(folder, 'packages'), recipe);
    // Something for the analysis process, which loads DuckDB.
    const e = { t: 'metric', n: 'level', x: 1, at: Date.now() - 1_000, eid: '1' };
    const line = JSON.stringify({ r: e.at, env: 'dev', u: 'ann', k: 0, e });
    mkdirSync(join(data, 'events/sealed'), { recursive: true });
    writeFileSync(join(data, 'events/sealed/7-1-0.ndjson'), `${line}\n`);
    const more = { LOADOUT_DRAIN_DELAY: `${drainSeconds}` };
    container = await Container.start({ root, data, recipe, more });
  }, imageMillisMax);

  afterAll(() => container?.kill());

  it('is of the base that this test stands in for', () => {
    expect(recipe.from).toBe('docker.io/library/node:24-trixie-slim');
    expect(readFileSync(join(root, 'etc/debian_version'), 'utf8')).toMatch(/^13\./);
  });

  it('leaves nothing of the installation behind', () => {
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
    expect(readdirSync(join(root, 'root')).filter((name) => name.startsWith('.npm'))).toEqual([]);
    const { mode, uid, gid } = statSync(join(root, 'var/lib/loadout'));
    expect([mode & 0o777, `${uid}:${gid}`]).toEqual([0o700, recipe.user]);
    expect(readdirSync(join(root, 'var/lib/loadout'))).toEqual([]);
  });

  it('runs the server as PID 1, as a user without any capability, on a file system that it cannot write to', () => {
    const status = container.status();
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^Gid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(container.run(['touch', '/tmp/x']).stderr).toContain('Read-only file system');
    expect(container.run(['touch', '/usr/local/lib/x']).stderr).toContain('Read-only file system');
  });

  it("writes the owner's token to a file that its user alone reads, and not to the log", () => {
    const file = join(data, 'owner-token');
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(container.log).not.toContain(ownerToken());
    expect(
      container.log.split('\n').filter((line) => line !== '' && !line.startsWith('{')),
    ).toEqual([]);
  });

  it('serves players what its own command puts, from each delivery process', async () => {
    const env = { LOADOUT_URL: container.adminUrl, LOADOUT_TOKEN: ownerToken() };
    const loadout = (...args: readonly string[]) => {
      const ran = container.run(['loadout', ...args], { env, stdin: '{"price": 4.99}' });
      expect(ran.status, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
    };
    loadout('env', 'create', 'dev');
    loadout('key', 'create', '--env', 'dev', '--value', key);
    loadout('content', 'put', 'shop', '-', '--env', 'dev');
    expect(await price()).toBe('{"price":4.99}');
    expect((await send(container.adminUrl, '/metrics')).text).toMatch(
      /^loadout_native\{listener="1"\} 1$/m,
    );
  });

  it('stores events', async () => {
    const headers = { authorization: `Bearer ${ownerToken()}` };
    await eventually('the event is stored', storeMillisMax, async () => {
      const status = await send(container.adminUrl, '/admin/v1/events', { headers });
      return status.json.sinceStart.metricEvents === 1;
    });
  });

  it('copies its store with its own command, as deploy/README.md says', () => {
    const copy = '/var/lib/loadout/copy.db';
    const command = ['loadout', 'backup', '--data', '/var/lib/loadout', '--out', copy];
    const { status, stderr } = container.run(command);
    expect(status, stderr).toBe(0);
    expect(statSync(join(data, 'copy.db')).size).toBeGreaterThan(0);
  });

  it('is healthy', () => {
    expect(container.run(recipe.healthCheck).status).toBe(0);
  });

  it('is not healthy where nothing listens', () => {
    const env = { LOADOUT_PORT: '9' };
    expect(container.run(recipe.healthCheck, { env }).status).toBe(1);
  });

  it('replaces a delivery process that was killed, and leaves no zombie', async () => {
    const delivering = () =>
      container.processes().filter(({ command }) => command.includes('delivery-process.js'));
    const [killed, ...others] = delivering();
    expect(others).toHaveLength(1);
    process.kill(killed?.pid ?? 0, 'SIGKILL');
    await eventually('another process delivers', replaceMillisMax, async () => {
      const { text } = await send(container.adminUrl, '/metrics');
      const isCounted = /^loadout_listener_restarts_total\{reason="died"\} 1$/m.test(text);
      return isCounted && /^loadout_listeners 2$/m.test(text) && delivering().length === 2;
    });
    expect(delivering().map(({ pid }) => pid)).not.toContain(killed?.pid);
    expect(await price()).toBe('{"price":4.99}');
    expect(container.processes().filter(({ state }) => state === 'Z')).toEqual([]);
    expect(container.run(recipe.healthCheck).status).toBe(0);
  });

  it('serves on after its stop signal while it is unhealthy; a second one ends it with 0', async () => {
    container.signal();
    await eventually('it is not healthy', drainSeconds * 1_000, () => {
      return container.run(recipe.healthCheck).status === 1;
    });
    expect(await price()).toBe('{"price":4.99}');
    expect(await container.stop()).toBe(0);
  });

  it('starts again on what it left, and without a delay ends at once', async () => {
    container = await Container.start({ root, data, recipe });
    expect(await price()).toBe('{"price":4.99}');
    expect(await container.stop()).toBe(0);
  });

  const ownerToken = (): string => readFileSync(join(data, 'owner-token'), 'utf8').trim();

  async function price(): Promise<string> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: '{}' };
    return (await send(container.deliveryUrl, '/api/v1/config/shop', request)).text;
  }
});
