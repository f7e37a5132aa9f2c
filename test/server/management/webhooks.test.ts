/** Webhooks of a real server: what was acknowledged is told, however the server ends, and nothing reaches this machine unasked. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { expectDone, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { makeCertificate } from '../../support/wire/certificate.js';
import { send } from '../../support/wire/exchange.js';
import { status, verified, WebhookReceiver } from '../../support/wire/webhook-receiver.js';

const path = '/admin/v1/webhooks';
/** Several starts of servers or commands, on a machine that runs other tests as well. */
const startsMillisMax = 90_000;

async function makeWebhook(
  server: LoadoutServer,
  url: string,
  more: object = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  return expectDone(await server.admin('POST', path, { url, ...more })).json;
}

describe('kill -9 between an edit and its message', () => {
  it(
    'loses no message: what was acknowledged arrives after the next start, in order',
    async () => {
      const data = makeDataFolder();
      onTestFinished(() => rmSync(data, { recursive: true, force: true }));
      const flags = ['--webhooks-to-local'];
      const receiver = await WebhookReceiver.start();
      let server = await startServer({ data, listeners: 1, flags });
      let game = await makeEnvironment(server);
      const { id, secret } = await makeWebhook(server, receiver.url, {
        events: ['content.published'],
      });
      const acknowledged: number[] = [];
      for (let round = 0; round < 3; round++) {
        // It hangs, so the server dies with a message under way and others behind it.
        receiver.react = () => undefined;
        for (let n = 0; n < 5; n++)
          acknowledged.push((await game.put(`c${n}`, `${round}`)).sequence);
        server.signal('SIGKILL');
        expect((await server.exit).signal).toBe('SIGKILL');
        receiver.react = status(204);
        server = await startServer({ data, listeners: 1, flags });
        game = game.on(server);
        await eventually('all are delivered', 15_000, async () => {
          const pending = await server.admin('GET', `${path}/${id}/deliveries?status=pending`);
          return pending.json.deliveries.length === 0;
        });
      }
      const bySequence = new Map(
        receiver.received.map((received) => [received.body.data.sequence, received]),
      );
      expect([...bySequence.keys()]).toEqual(acknowledged);
      for (const received of bySequence.values()) verified(secret, received);
      // A message that arrived twice has one id, by which its receiver knows it.
      const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      expect(ids.size).toBe(acknowledged.length);
      await server.stop();
    },
    startsMillisMax,
  );
});

describe('kill -9 in the middle of edits', () => {
  it(
    'loses no message of an edit that was acknowledged, and tells of none that is not there',
    async () => {
      const data = makeDataFolder();
      onTestFinished(() => rmSync(data, { recursive: true, force: true }));
      const flags = ['--webhooks-to-local'];
      const receiver = await WebhookReceiver.start();
      let server = await startServer({ data, listeners: 1, flags });
      let game = await makeEnvironment(server);
      const { id } = await makeWebhook(server, receiver.url, { events: ['content.published'] });
      const acknowledged = new Set<number>();
      for (let round = 0; round < 3; round++) {
        const edits = (async (): Promise<void> => {
          for (let n = 0; ; n++) {
            acknowledged.add((await game.put('shop', `"${round}-${n}"`)).sequence);
          }
        })().catch((fault: unknown) => {
          // The connection is what must fail, and only because its process is gone.
          if (!(fault instanceof Error && 'code' in fault)) throw fault;
        });
        const enough = acknowledged.size + 5 + 3 * round;
        await eventually('some edits', 10_000, () => acknowledged.size >= enough);
        server.signal('SIGKILL');
        await server.exit;
        await edits;
        server = await startServer({ data, listeners: 1, flags });
        game = game.on(server);
      }
      await eventually('all are delivered', 15_000, async () => {
        const pending = await server.admin('GET', `${path}/${id}/deliveries?status=pending`);
        return pending.json.deliveries.length === 0;
      });
      const told = receiver.received.map(({ body }) => body.data.revision as number);
      const { revisions } = (await server.admin('GET', `${game.path}/contents/shop/revisions`))
        .json;
      const saved = revisions.map(({ revision }: { revision: number }) => revision).reverse();
      // Each saved revision is told, in order; the one that was under way when the server died perhaps twice.
      expect([...new Set(told)]).toEqual(saved);
      expect(told).toEqual([...told].sort((a, b) => a - b));
      const sequences = new Set(receiver.received.map(({ body }) => body.data.sequence));
      expect([...acknowledged].filter((sequence) => !sequences.has(sequence))).toEqual([]);
      await server.stop();
    },
    startsMillisMax,
  );
});

describe('a server with a receiver that hangs', () => {
  it('answers edits as fast as ever, and ends within seconds', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.react = () => undefined;
    const server = await startServer({ listeners: 1, flags: ['--webhooks-to-local'] });
    const game = await makeEnvironment(server);
    await makeWebhook(server, receiver.url);
    await game.put('shop', '0');
    await receiver.have(1);
    const began = performance.now();
    for (let n = 1; n <= 20; n++) await game.put('shop', `${n}`);
    // An attempt would take ten seconds: one edit that waited for it would show.
    expect(performance.now() - began).toBeLessThan(8_000);
    const exit = await server.stop();
    expect(exit.code).toBe(0);
  });
});

describe('the receiver that docs/webhooks.md shows', () => {
  it('takes what the server signs and refuses what it did not', async () => {
    const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
    const program = /<!-- receiver -->\n```js\n(.*?)```/s.exec(page)?.[1] ?? '';
    const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    const port = await freePort();
    // From standard input, so that its import is found from the tree's folder.
    const receiver = spawn(process.execPath, ['--input-type=module', '-'], {
      cwd: new URL('../../..', import.meta.url),
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void receiver.kill('SIGKILL'));
    let printed = '';
    receiver.stdout.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
    });
    receiver.stdin.end(program);
    const server = await startServer({ listeners: 1, flags: ['--webhooks-to-local'] });
    const game = await makeEnvironment(server);
    const url = `http://127.0.0.1:${port}/`;
    await eventually('the receiver listens', 10_000, () => send(url, '/').catch(() => null));
    await makeWebhook(server, url, { secret });
    await game.put('Shop', '1');
    await eventually('it prints what it was told', 10_000, () =>
      printed.includes(`content.published: Shop in ${game.id}, by owner\n`),
    );
    const { id } = await makeWebhook(server, url);
    const tested = await server.admin('POST', `${path}/${id}/test`);
    expect(tested.json).toMatchObject({ status: 'failed', lastStatus: 400 });
    await server.stop();
  });

  async function freePort(): Promise<number> {
    const receiver = await WebhookReceiver.start();
    const { port } = receiver;
    await receiver.close();
    return port;
  }
});

describe('a receiver with a certificate of the studio itself', () => {
  it('is trusted by a server that is told of its root (NODE_EXTRA_CA_CERTS)', async () => {
    const folder = makeDataFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    makeCertificate(cert, key);
    const receiver = await WebhookReceiver.start({
      cert: readFileSync(cert, 'utf8'),
      key: readFileSync(key, 'utf8'),
    });
    process.env['NODE_EXTRA_CA_CERTS'] = cert;
    onTestFinished(() => {
      delete process.env['NODE_EXTRA_CA_CERTS'];
    });
    const server = await startServer({ listeners: 1, flags: ['--webhooks-to-local'] });
    const { id, secret } = await makeWebhook(server, receiver.url);
    const tested = await server.admin('POST', `${path}/${id}/test`);
    expect(tested.json).toMatchObject({ status: 'delivered', lastError: '' });
    verified(secret, receiver.received[0]!);
    await server.stop();
  });
});

describe('a server without --webhooks-to-local', () => {
  let server: LoadoutServer;
  beforeAll(async () => {
    server = await startServer({ listeners: 1 });
  });
  afterAll(() => server.stop());

  it('takes no webhook to itself, its admin port for one', async () => {
    for (const url of [
      server.adminUrl,
      `http://localhost:${server.adminPort}/`,
      `http://[::ffff:127.0.0.1]:${server.adminPort}/`,
      'http://169.254.169.254/latest/meta-data/',
    ]) {
      const answer = await server.admin('POST', path, { url });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ code: 'invalid_body', errors: [{ path: 'url' }] });
    }
  });

  it('shows what waits and what failed in its metrics', async () => {
    // A name that never leads anywhere (RFC 2606).
    const { id } = await makeWebhook(server, 'http://receiver.invalid/');
    await makeEnvironment(server);
    await eventually('an attempt failed', 15_000, async () => {
      const { json } = await server.admin('GET', `${path}/${id}`);
      return json.failures > 0;
    });
    const { text } = await server.admin('GET', '/metrics');
    expect(text).toMatch(/^loadout_webhook_deliveries_pending [1-9]/m);
    expect(text).toMatch(/^loadout_webhooks_failing 1$/m);
    expect(text).toMatch(/^loadout_webhooks_disabled 0$/m);
  });
});

describe('loadout webhook', () => {
  let server: LoadoutServer;
  let cli: CommandLine;
  beforeAll(async () => {
    server = await startServer({ listeners: 1, flags: ['--webhooks-to-local', 'yes'] });
    cli = new CommandLine(server);
  });
  afterAll(() => server.stop());

  it(
    'creates, lists, tests and sends again; the secret is all of stdout',
    async () => {
      const receiver = await WebhookReceiver.start();
      const game = await makeEnvironment(server);
      const made = await cli.try([
        ...['webhook', 'create', receiver.url, '--env', game.id, '--event', 'content.published'],
        ...['--event', 'content.deleted', '--description', 'build bot'],
      ]);
      expect(made.code).toBe(0);
      expect(made.stdout).toMatch(/^whsec_[A-Za-z0-9+/]{32}\n$/);
      const secret = made.stdout.trim();
      const id = /webhook_[0-9a-f]+/.exec(made.stderr)?.[0] ?? '';
      const list = await cli.run(['webhook', 'list']);
      expect(list).toMatch(/^WEBHOOK +URL +FORMAT +ENVIRONMENTS +EVENTS +STATE +DESCRIPTION$/m);
      expect(list).toContain(`${game.id}`);
      expect(list).toMatch(/content\.published, content\.deleted +on +build bot/);
      expect(list).not.toContain(secret);

      expect(await cli.run(['webhook', 'test', id])).toMatch(/^Delivered: 204 in \d+ ms\.\n$/);
      verified(secret, receiver.received[0]!);
      await game.put('shop', '1');
      await receiver.have(2);
      await eventually('the log knows', 5_000, async () => {
        const { deliveries } = await cli.json(['webhook', 'deliveries', id]);
        return deliveries.every((delivery: { status: string }) => delivery.status === 'delivered');
      });
      const log = await cli.run(['webhook', 'deliveries', id, '--limit', '1']);
      expect(log).toMatch(/^dlv_\S+ +\S+Z +content\.published +delivered +1 +204 in \d+ ms$/m);
      const delivery = /^dlv_\S+/m.exec(log)?.[0] ?? '';
      const message = await cli.run(['webhook', 'message', id, delivery]);
      expect(message).toBe(`${receiver.received[1]?.text}\n`);
      expect(await cli.run(['webhook', 'retry', id, delivery])).toBe(
        `${delivery} is sent again.\n`,
      );
      await receiver.have(3);
      expect(receiver.received[2]?.text).toBe(receiver.received[1]?.text);
      expect(server.stderr).not.toContain(secret);
    },
    startsMillisMax,
  );

  it(
    'changes the secret, edits, switches off and on, and deletes',
    async () => {
      const receiver = await WebhookReceiver.start();
      const { id } = await makeWebhook(server, receiver.url, { events: ['content.published'] });
      const tested = await server.admin('POST', `${path}/${id}/test`);
      const delivery = tested.json.id as string;
      const fresh = await cli.run(['webhook', 'secret', id]);
      expect(fresh).toMatch(/^whsec_\S{32}\n$/);
      const own = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
      const env = { LOADOUT_WEBHOOK_SECRET: own };
      expect(await cli.run(['webhook', 'secret', id], { env })).toBe(`${own}\n`);

      const edit = ['webhook', 'edit', id];
      expect(await cli.run([...edit, '--all-envs', '--all-events', '--disable'])).toMatch(
        /all +all +off: by hand/,
      );
      const refused = await cli.try(['webhook', 'retry', id, delivery]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('switch it on first');
      expect((await cli.json([...edit, '--enable'])).enabled).toBe(true);
      await receiver.close();
      const failed = await cli.try(['webhook', 'test', id]);
      expect(failed.code).toBe(1);
      expect(failed.stderr).toContain('Not delivered. Nothing listens there');
      // The test that failed is not a message.
      expect(await cli.run(['webhook', 'retry', id, '--failed'])).toBe('Sent again: 0.\n');
      expect(await cli.run(['webhook', 'delete', id])).toBe(`Deleted ${id}.\n`);
      expect(await cli.run(['webhook', 'list'])).not.toContain(id);
      for (const known of [fresh.trim(), own]) expect(server.stderr).not.toContain(known);
    },
    startsMillisMax,
  );

  it.each([
    [['edit', 'webhook_1'], /Nothing to change/],
    [['edit', 'webhook_1', '--enable', '--disable'], /exclude each other/],
    [['edit', 'webhook_1', '--env', 'a', '--all-envs'], /exclude each other/],
    [['edit', 'webhook_1', '--event', 'a', '--all-events'], /exclude each other/],
    [['deliveries', 'webhook_1', '--status', 'lost'], /Allowed choices/],
    [['retry', 'webhook_1'], /Name one delivery/],
    [['retry', 'webhook_1', 'dlv_1', '--failed'], /Name one delivery/],
    [['create'], /missing required argument/],
  ])('says what is wrong with %j, with code 2', async (args, message) => {
    const ran = await cli.try(['webhook', ...args]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(message);
  });
});
