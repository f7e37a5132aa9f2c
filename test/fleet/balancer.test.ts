/**
 * Goal: the balancers of the operators' page pass what Loadout takes. Method: the page's own settings, in a real nginx and a
 * real HAProxy before a real server; only addresses and ports are those of the test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { type Answer, send } from '../support/wire/exchange.js';
import { freeLoopbackPort } from '../support/wire/loopback-port.js';

const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
const startMsMax = 20_000;

interface Balancer {
  readonly name: string;
  /** Writes what it is started with into `folder`, of the page's settings. @returns arguments */
  configure(folder: string, settings: string): readonly string[];
}

const balancers: readonly Balancer[] = [
  {
    name: 'nginx',
    configure(folder, settings) {
      const file = join(folder, 'nginx.conf');
      const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      );
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      writeFileSync(
        file,
        `${user} daemon off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${scratch.join(' ')}
${settings}
}`,
      );
      return ['-p', folder, '-e', 'stderr', '-c', file];
    },
  },
  {
    name: 'HAProxy',
    configure(folder, settings) {
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(file, `${settings}\n`);
      return ['-db', '-f', file];
    },
  },
];

describe.each(balancers)('$name, as the page sets it up,', ({ name, configure }) => {
  const program = programOf(name.toLowerCase());
  let server: LoadoutServer;
  let game: Environment;
  let balancer: ChildProcess | undefined;
  let url: string;
  let said = '';

  beforeAll(async () => {
    if (program === null) return;
    server = await startServer({ listeners: 1 });
    game = await makeEnvironment(server);
    await game.put('shop', '{"price":1}');
    const folder = makeDataFolder();
    chmodSync(folder, 0o711);
    const port = await freeLoopbackPort();
    url = `http://127.0.0.1:${port}`;
    const settings = settingsOf(name)
      .replaceAll(/10\.0\.0\.1[12]:8080/g, `127.0.0.1:${server.deliveryPort}`)
      .replace(/bind :80$/m, `bind 127.0.0.1:${port}`)
      .replace(/listen 80;/, `listen 127.0.0.1:${port};`);
    balancer = spawn(program, configure(folder, settings), { stdio: ['ignore', 'ignore', 'pipe'] });
    balancer.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    await eventually(`${name} passes a request on`, startMsMax, async () => {
      if (balancer?.exitCode !== null) throw new Error(`${name} ended\n${said}`);
      return (await send(url, '/healthz').catch(() => null))?.status === 200;
    });
  });

  afterAll(async () => {
    if (balancer !== undefined && balancer.exitCode === null) {
      balancer.kill('SIGTERM');
      await once(balancer, 'close');
    }
    await server?.stop();
  });

  const passes = program === null ? it.skip : it;
  const why = program === null ? ` (no ${name} is installed here)` : '';

  function ask(path: string, body: unknown): Promise<Answer> {
    return send(url, path, {
      method: 'POST',
      headers: { 'x-api-key': game.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  const longest = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${i}`.padStart(3, 'x').padEnd(128, 'y'));

  passes(`passes 100 ids of 128 characters in the query${why}`, async () => {
    const ids = longest(100);
    const c = encodeURIComponent(JSON.stringify(ids));
    const answer = await ask(`/api/v1/combine/?c=${c}&dynamic=true`, {});
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    expect(Object.keys(answer.json)).toEqual(ids);
  });

  passes(`passes a query of nearly all that Loadout takes${why}`, async () => {
    const spelled = longest(100).flatMap((id) => [id, `X${id.slice(1)}`]);
    const c = encodeURIComponent(JSON.stringify(spelled));
    expect(c.length).toBeGreaterThan(27_000);
    const answer = await ask(`/api/v1/combine/?c=${c}`, {});
    expect([answer.status, Object.keys(answer.json).length]).toEqual([200, 200]);
  });

  passes(`passes the same ids in the body, and a body of 64 KiB${why}`, async () => {
    const ids = longest(100);
    const answer = await ask('/api/v1/combine?dynamic=true', { c: ids });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(ids);
    const full = await ask('/api/v1/combine', { c: ['shop'], p: { text: 'x'.repeat(65_000) } });
    expect([full.status, full.text]).toEqual([200, '{"shop":{"price":1}}']);
  });
});

/** The page's settings of a balancer, from the block that begins with its name. */
function settingsOf(name: string): string {
  const block = new RegExp(`\`\`\`\\n(# ${name} [\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (block === undefined) throw new Error(`The page has no settings of ${name}.`);
  return block;
}

function programOf(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((path) => join(path, name)).find((path) => existsSync(path)) ?? null;
}
