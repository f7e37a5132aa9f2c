/**
 * An operator upgrades an installed server in place, from the version that landed before this one: its data, while players
 * ask, and back again. The data are those of the demo: a game with a history of edits, segments and tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { eventually } from '../support/eventually.js';
import { expectDone } from '../support/server/environment.js';
import { previousCommit, previousPackage } from '../support/server/previous-build.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { type Answer, type Request, send } from '../support/wire/exchange.js';
import { Installed } from './installed.js';

const release = inject('release');
const made = typeof release === 'string' ? { version: '', out: '' } : release;
const artefact = join(made.out, `loadout-${made.version}-${process.platform}-${process.arch}.tgz`);
const minutes = 60_000;
const environment = 'production';
const callers = [{}, { u: 'ada' }, { u: 'whale', p: { level: 90, country: 'US' }, v: '2.1.0' }];

describe.skipIf(typeof release === 'string')('an installed server of the version before', () => {
  const players = new Players();
  afterEach(() => players.stop());

  it(
    'is upgraded under load and back: all bytes stay, and requests fail only while it is down',
    async () => {
      const installed = Installed.with(process.execPath);
      await installed.install(previousPackage(previousCommit));
      const data = makeDataFolder();
      const key = await fillWithDemo(installed, data);
      const old = await serve(installed, data);
      const contents = await contentsOf(old);
      expect(contents.length).toBeGreaterThan(10);
      const before = await deliveredBy(old, key, contents);
      const schema = schemaOf(data);

      players.start(old.deliveryUrl, key, before);
      await players.haveAsked(500);
      // The files are replaced under the server that runs.
      await installed.install(artefact);
      await players.haveAsked(500);
      expect(players.failures).toEqual([]);
      const port = old.deliveryPort;
      const stopped = await replaced(old, () => serve(installed, data, port));
      expect(await deliveredBy(stopped, key, contents)).toEqual(before);
      expect(installed.run('--version')).toBe(`${made.version}\n`);

      const shop = `/admin/v1/environments/${environment}/contents/upgrade-note`;
      expectDone(await stopped.admin('PUT', shop, { text: '{"edited":true}' }));
      const edited = await ask(stopped, key, 'upgrade-note', {});
      expect(edited.text).toBe('{"edited":true}');
      const { events } = expectDone(await stopped.admin('GET', '/admin/v1/audit?limit=1')).json;
      expect(JSON.stringify(events)).toContain('upgrade-note');

      // An older version rejects a newer schema: the way back is then the copy of before.
      if (!isDeepStrictEqual(schemaOf(data), schema)) return;
      await installed.install(previousPackage(previousCommit));
      const back = await replaced(stopped, () => serve(installed, data, port));
      expect(await deliveredBy(back, key, contents)).toEqual(before);
      expect((await ask(back, key, 'upgrade-note', {})).text).toBe('{"edited":true}');
    },
    15 * minutes,
  );

  /** Stops a server that players use and starts the next one; what failed meanwhile failed because nothing listened. */
  async function replaced(
    old: LoadoutServer,
    next: () => Promise<LoadoutServer>,
  ): Promise<LoadoutServer> {
    await old.stop();
    const server = await next();
    await players.haveAsked(500);
    const reasons = new Set(players.failures);
    expect([...reasons].filter((reason) => !/ECONNREFUSED|ECONNRESET/.test(reason))).toEqual([]);
    players.failures.length = 0;
    return server;
  }
});

/** Players who ask for every content as three callers would, again and again, and compare each response. */
class Players {
  /** Of each request that failed: the code of the error, the status, or what was different. */
  readonly failures: string[] = [];
  #asked = 0;
  #agent = new Agent({ keepAlive: true });
  #isAsking = false;
  #loops: Promise<unknown> = Promise.resolve();

  start(origin: string, key: string, expected: ReadonlyMap<string, string>): void {
    this.#isAsking = true;
    const loop = async (): Promise<void> => {
      while (this.#isAsking) {
        for (const [name, text] of expected) await this.#ask(origin, key, name, text);
      }
    };
    this.#loops = Promise.all([loop(), loop(), loop(), loop()]);
  }

  async haveAsked(times: number): Promise<void> {
    const from = this.#asked;
    await eventually('players have asked', 2 * minutes, () => this.#asked >= from + times);
  }

  async stop(): Promise<void> {
    this.#isAsking = false;
    await this.#loops;
    this.#agent.destroy();
  }

  async #ask(origin: string, key: string, name: string, text: string): Promise<void> {
    try {
      const answer = await send(origin, ...requestOf(key, name, this.#agent));
      if (answer.status === 200 && answer.text === text) this.#asked++;
      else this.failures.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
    } catch (error) {
      this.failures.push((error as NodeJS.ErrnoException).code ?? String(error));
      // As clients do: not at once again.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** @param name `content caller` */
function requestOf(key: string, name: string, agent: Agent): [string, Request] {
  const [content = '', caller = '0'] = name.split(' ');
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify(callers[Number(caller)]);
  return [`/api/v1/config/${content}`, { method: 'POST', headers, body, agent }];
}

function serve(installed: Installed, data: string, port = 0): Promise<LoadoutServer> {
  return startServer({ program: installed.program, data, port, listeners: 2 });
}

function ask(server: LoadoutServer, key: string, content: string, caller: object): Promise<Answer> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(caller) };
  return send(server.deliveryUrl, `/api/v1/config/${content}`, request);
}

async function contentsOf(server: LoadoutServer): Promise<readonly string[]> {
  const path = `/admin/v1/environments/${environment}/contents?limit=200`;
  const { contents } = expectDone(await server.admin('GET', path)).json;
  const live = contents.filter((one: { live: number | null }) => one.live !== null);
  return live.map(({ id }: { id: string }) => id);
}

/** By `content caller`: the bytes of the response. */
async function deliveredBy(
  server: LoadoutServer,
  key: string,
  contents: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const delivered = new Map<string, string>();
  for (const content of contents) {
    for (const [at, caller] of callers.entries()) {
      const answer = await ask(server, key, content, caller);
      expect(answer.status, `${content}: ${answer.text}`).toBe(200);
      delivered.set(`${content} ${at}`, answer.text);
    }
  }
  return delivered;
}

/** Runs the installed demo until its game is there. Returns the API key of the game in production. */
async function fillWithDemo(installed: Installed, data: string): Promise<string> {
  const ports = ['--port', '0', '--admin-port', '0', '--game-port', '0'];
  const args = [installed.program, 'demo', ...ports, '--no-players', '--data', data];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], LOADOUT_ADMIN_TOKEN: ownerToken },
  });
  const closed = once(child, 'close');
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
  });
  await eventually('the demo to be ready', 2 * minutes, () => /^ready$/m.test(stdout));
  child.kill('SIGTERM');
  await closed;
  const key = /^key +(\S+) +\(.*\)/m.exec(stdout)?.[1];
  if (key === undefined) throw new Error(`the demo printed no key\n${stdout}`);
  return key;
}

function schemaOf(data: string): unknown {
  const db = new BetterSqlite3(join(data, 'store.db'), { readonly: true });
  try {
    return db.prepare('SELECT max(version) AS newest FROM schema_version').get();
  } finally {
    db.close();
  }
}
