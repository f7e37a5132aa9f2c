/** How many streams may be open: by client network, by key, by process, and by what they hold. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment, makeKey } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { OpenStreams } from '../../support/stream/open-stream.js';
import { Answer } from '../../support/wire/exchange.js';
import { head, openConnection } from '../../support/wire/raw-connection.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const streams = new OpenStreams();
afterEach(() => streams.closeAll());

type Options = NonNullable<Parameters<OpenStreams['open']>[2]>;

async function expectFull(game: Environment, options: Options = {}): Promise<number> {
  const stream = await streams.open(game, {}, options);
  const answer = new Answer(stream.status, stream.headers, Buffer.from(await stream.text()));
  expectRefusal(answer, 429, 'rate_limited');
  expect(answer.header('retry-after')).toMatch(/^[1-9]\d*$/);
  return Number(answer.header('retry-after'));
}

async function start(...flags: string[]): Promise<Environment> {
  const game = await makeEnvironment(await startServer({ listeners: 1, flags }));
  await game.put('a', '1');
  return game;
}

const forwardedFor = (value: string): Options => ({ headers: { 'x-forwarded-for': value } });

describe('streams are limited', () => {
  it('for each client network, whatever X-Forwarded-For says', async () => {
    const game = await start('--streams-per-address', '2');
    const first = await streams.first(game, {}, { localAddress: '127.0.0.1' });
    await streams.first(game, {}, { localAddress: '127.0.0.9' });
    await expectFull(game, { localAddress: '127.0.0.2', ...forwardedFor('198.51.100.7') });
    await streams.first(game, {}, { localAddress: '127.0.1.1' });
    // Ordinary requests go on.
    expect((await game.refresh()).status).toBe(200);
    const { sequence } = await game.put('a', '2');
    expect(await first.next()).toMatchObject({ sequence });
  });

  it('for each key, and for the process', async () => {
    const game = await start('--streams-per-key', '2', '--streams-max', '3');
    await Promise.all([streams.first(game), streams.first(game)]);
    await expectFull(game);
    const { key } = await makeKey(game.server, game.id);
    const other = { headers: { 'x-api-key': key } };
    const third = await streams.first(game, {}, other);
    await expectFull(game, other);
    third.close();
    const wrong = await streams.open(game, {}, { headers: { 'x-api-key': 'no' } });
    expect(wrong.status).toBe(401);
  });

  it('for all, where none may be open; the refused come back one after the other', async () => {
    const game = await start('--streams-max', '0');
    const delays: number[] = [];
    for (let at = 0; at < 1_100; at += 1) {
      if (at % 100 === 0) delays.push(await expectFull(game));
      else (await streams.open(game)).close();
    }
    expect(delays.every((delay, at) => at === 0 || delay >= (delays[at - 1] as number) - 1)).toBe(
      true,
    );
    expect(Math.max(...delays)).toBeLessThanOrEqual(300);
  });
});

describe('behind proxies that are trusted', () => {
  it('the client is the nearest address that is none of theirs', async () => {
    const game = await start(
      ...[
        '--streams-per-address',
        '1',
        '--trusted-proxies',
        '127.0.0.0/8,10.0.0.0/8,2001:db8::/32',
      ],
    );
    const opened = async (value: string): Promise<void> => {
      await streams.first(game, {}, forwardedFor(value));
    };
    const full = (value: string) => expectFull(game, forwardedFor(value));
    await opened('203.0.113.7');
    await full('203.0.113.8');
    await full('::ffff:203.0.113.9');
    await full('198.51.100.1, 203.0.113.10');
    await full('198.51.100.1,203.0.113.10, 10.1.2.3 ,2001:db8::1');
    await opened('203.0.114.7');
    await opened('2a00:1:2:3::1');
    await full('2a00:1:2:4::1');
    await opened('2a00:1:3::1');
    // What cannot be read ends the list: the nearest proxy itself is the client then.
    await opened('198.51.100.1, unknown');
    await full('198.51.100.2, "[::1]:80"');
    await full('');
    await full(`198.51.100.3${', 10.0.0.1'.repeat(0)}, ${'x'.repeat(500)}`);
  });

  it("a proxy that adds a line of its own is read as well as one that continues the client's", async () => {
    const game = await start('--streams-per-address', '1', '--trusted-proxies', '127.0.0.1');
    const open = async (lines: readonly string[]): Promise<string> => {
      const connection = await openConnection(game.server.deliveryPort);
      await connection.write(
        `${head('POST', '/api/v1/stream', [
          ['X-Api-Key', game.key],
          ['Content-Type', 'application/json'],
          ...lines.map((line) => ['X-Forwarded-For', line] as const),
          ['Content-Length', '2'],
        ])}{}`,
      );
      return (await connection.until('\r\n\r\n')).slice(9, 12);
    };
    expect(await open(['198.51.100.1', '203.0.113.7'])).toBe('200');
    expect(await open(['198.51.101.1', '203.0.113.8'])).toBe('429');
    expect(await open(['203.0.113.8', '198.51.102.1'])).toBe('200');
  });
});
