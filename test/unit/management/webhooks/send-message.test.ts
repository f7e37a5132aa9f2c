import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Attempt,
  type SendOptions,
  sendMessage,
} from '../../../../src/management/webhooks/send-message.js';
import { makeSigningSecret } from '../../../../src/management/webhooks/signature.js';
import { makeCertificate } from '../../../support/wire/certificate.js';
import { status, verified, WebhookReceiver } from '../../../support/wire/webhook-receiver.js';
import { temporaryFolder } from '../harness.js';

const secret = makeSigningSecret();
const body = '{"type":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","data":{"n":"é"}}';

function post(url: string, more: Partial<SendOptions> = {}): Promise<Attempt> {
  return sendMessage(
    { id: 'evt_1', url, format: 'loadout', secrets: [secret], body },
    {
      toLocal: true,
      now: Date.now,
      signal: new AbortController().signal,
      attemptMsMax: 400,
      ...more,
    },
  );
}

/** A server below HTTP: what it does with a connection is all there is. */
async function tcp(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a message', () => {
  it('is a signed POST that the reference implementation takes', async () => {
    const receiver = await WebhookReceiver.start();
    const attempt = await post(`${receiver.url}?token=a`);
    expect(attempt).toMatchObject({ status: 204, error: '', retryAfterMs: 0 });
    const [received] = receiver.received;
    if (received === undefined) throw new Error('nothing arrived');
    expect(received.method).toBe('POST');
    expect(received.path).toBe('/hook?token=a');
    expect(received.text).toBe(body);
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'webhook-id': 'evt_1',
    });
    expect(verified(secret, received)).toEqual(JSON.parse(body));
    expect(() => verified(makeSigningSecret(), received)).toThrow();
  });

  it.each([200, 201, 204, 299])('is delivered when the answer is %i', async (code) => {
    const receiver = await WebhookReceiver.start();
    receiver.react = status(code);
    expect(await post(receiver.url)).toMatchObject({ status: code, error: '' });
  });

  it.each([400, 404, 410, 429, 500, 503])('is not when it is %i', async (code) => {
    const receiver = await WebhookReceiver.start();
    receiver.react = status(code);
    expect(await post(receiver.url)).toMatchObject({
      status: code,
      error: `It answered ${code}.`,
    });
  });

  it('follows no redirect', async () => {
    const elsewhere = await WebhookReceiver.start();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(307, { location: elsewhere.url });
    expect(await post(receiver.url)).toMatchObject({
      status: 307,
      error: 'It answered 307: redirects are not followed.',
    });
    expect(elsewhere.received).toEqual([]);
  });

  it.each([
    ['120', 120_000],
    ['0.0001', 1],
    ['999999999', 3_600_000],
    ['-5', 0],
    ['soon', 0],
  ])('hears Retry-After: %s as %i ms', async (text, ms) => {
    const receiver = await WebhookReceiver.start();
    receiver.react = status(503, { 'retry-after': text });
    expect((await post(receiver.url)).retryAfterMs).toBe(ms);
  });

  it('hears a date in Retry-After', async () => {
    const receiver = await WebhookReceiver.start();
    const now = Date.UTC(2026, 0, 1);
    receiver.react = status(503, { 'retry-after': new Date(now + 60_000).toUTCString() });
    expect((await post(receiver.url, { now: () => now })).retryAfterMs).toBe(60_000);
  });
});

describe('a receiver that takes its time', () => {
  it('is given up when it never answers', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.react = () => undefined;
    const attempt = await post(receiver.url);
    expect(attempt).toMatchObject({ status: null, error: 'No answer within 0.4 seconds.' });
    expect(attempt.durationMs).toBeGreaterThanOrEqual(390);
    expect(attempt.durationMs).toBeLessThan(3_000);
  });

  it('is given up when it sends its head byte by byte', async () => {
    const url = await tcp((socket) => {
      const head = 'HTTP/1.1 200 OK\r\n';
      let at = 0;
      const timer = setInterval(() => socket.write(head[at++ % head.length] ?? ''), 50);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await post(url)).toMatchObject({ status: null, error: 'No answer within 0.4 seconds.' });
  });

  it('has answered when its head is there, however long its body drips', async () => {
    const receiver = await WebhookReceiver.start();
    let closed = false;
    receiver.react = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    };
    const attempt = await post(receiver.url);
    expect(attempt).toMatchObject({ status: 200, error: '' });
    expect(attempt.durationMs).toBeLessThan(3_000);
    await expect.poll(() => closed).toBe(true);
  });

  it('is cut off when its body has no end', async () => {
    const receiver = await WebhookReceiver.start();
    let sent = 0;
    receiver.react = (response) => {
      response.writeHead(200);
      const more = (): void => {
        do sent += 65_536;
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    };
    expect(await post(receiver.url)).toMatchObject({ status: 200, error: '' });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('is given up at once when the server ends', async () => {
    const receiver = await WebhookReceiver.start();
    const ending = new AbortController();
    receiver.react = () => ending.abort();
    const attempt = await post(receiver.url, { signal: ending.signal, attemptMsMax: 20_000 });
    expect(attempt.status).toBeNull();
    expect(attempt.durationMs).toBeLessThan(5_000);
  });
});

describe('what cannot be reached', () => {
  it('is told in plain words', async () => {
    const silent = await WebhookReceiver.start();
    const { url } = silent;
    await silent.close();
    expect((await post(url)).error).toBe('Nothing listens there: the connection was refused.');
    expect((await post('http://name.invalid/')).error).toMatch(
      /^The name of the host (is not known|could not be looked up now)\.$/,
    );
    expect((await post(await tcp((socket) => socket.destroy()))).error).toBe(
      'The connection was closed before there was an answer.',
    );
    expect((await post(await tcp((socket) => socket.end('220 smtp ready\r\n')))).error).toBe(
      'What answered is not HTTP.',
    );
    const long = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`;
    expect((await post(await tcp((socket) => void socket.write(long)))).error).toBe(
      'The head of its answer is too large.',
    );
    const other = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n';
    const switched = await post(await tcp((socket) => void socket.write(other)));
    expect(switched.status).toBeNull();
    expect(switched.error).not.toBe('');
  });

  it('is a receiver whose certificate nobody vouches for', async () => {
    const folder = temporaryFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    makeCertificate(cert, key);
    const receiver = await WebhookReceiver.start({
      cert: readFileSync(cert, 'utf8'),
      key: readFileSync(key, 'utf8'),
    });
    const attempt = await post(receiver.url, { attemptMsMax: 5_000 });
    expect(attempt).toMatchObject({
      status: null,
      error: 'Its certificate is not trusted: it is self-signed.',
    });
    expect(receiver.received).toEqual([]);
  });

  it('is this machine, by whatever name, unless the option allows it', async () => {
    const receiver = await WebhookReceiver.start();
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', '0.0.0.0']) {
      const attempt = await post(`http://${host}:${receiver.port}/`, { toLocal: false });
      expect(attempt.status).toBeNull();
      expect(attempt.error).toMatch(/loopback|unspecified|this machine/);
    }
    expect(receiver.received).toEqual([]);
  });
});
