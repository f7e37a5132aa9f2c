/*
 * Goal: bodies hold a bounded amount of memory together; a request that waits for room is not read from, and neither a
 * small edit nor an unknown caller ever waits for it. Method: the admin API on a real port with tiny budgets, and sockets
 * that send what a test lets them send. No time is waited for, except where a test is about a deadline.
 */
import { describe, expect, it } from 'vitest';
import {
  BodyBudgets,
  type BodyBudgetsOptions,
} from '../../../../src/management/http/body/body-budgets.js';
import { eventually } from '../../../support/eventually.js';
import {
  chunked,
  head,
  openConnection,
  type RawConnection,
} from '../../../support/wire/raw-connection.js';
import { type Harness, ownerToken, startApi } from '../harness.js';

const path = '/admin/v1/environments/dev/contents/shop';
const freeBytes = 1_000;
const ordinaryBytes = 10_000;

/** Ordinary and large bodies one at a time. */
const tiny: BodyBudgetsOptions = {
  freeBytes,
  ordinaryBytes,
  ordinaryBytesMax: ordinaryBytes,
  largeBytesMax: 100_000,
};

const deadlines = { stalledMsMax: 60_000, graceMsMax: 60_000, bytesPerSecondMin: 1e6 };

interface Started {
  readonly api: Harness;
  readonly budgets: BodyBudgets;
  send(bytes: number, more?: Partial<Sent>): Promise<Upload>;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly token: string;
  readonly isChunked: boolean;
}

/** A request whose head is sent and whose body is not. */
interface Upload {
  readonly connection: RawConnection;
  readonly body: Buffer;
  /** Sends what is left of the body; the status of its answer. */
  finish(): Promise<number>;
}

async function start(
  options: BodyBudgetsOptions = {},
  bodyDeadlines = deadlines,
): Promise<Started> {
  const budgets = new BodyBudgets({ ...tiny, ...options });
  const api = await startApi({}, { bodyBudgets: budgets, bodyDeadlines });
  const port = Number(new URL(api.url).port);
  const send = async (bytes: number, more: Partial<Sent> = {}): Promise<Upload> => {
    const sent = { method: 'PUT', path, type: 'application/json', token: ownerToken, ...more };
    const body = bodyOf(bytes);
    const framing = more.isChunked
      ? (['Transfer-Encoding', 'chunked'] as const)
      : (['Content-Length', String(body.byteLength)] as const);
    const connection = await openConnection(port);
    await connection.write(
      head(sent.method, sent.path, [
        ['Authorization', `Bearer ${sent.token}`],
        ['Content-Type', sent.type],
        framing,
      ]),
    );
    const finish = async (): Promise<number> => {
      void connection.write(more.isChunked ? chunked(body, 500) : body);
      const { status } = await connection.read();
      connection.close();
      return status;
    };
    return { connection, body, finish };
  };
  return { api, budgets, send };
}

/** A save of exactly that many bytes. */
function bodyOf(bytes: number): Buffer {
  const frame = JSON.stringify({ text: '""' });
  return Buffer.from(JSON.stringify({ text: `"${'x'.repeat(bytes - frame.length)}"` }));
}

const held = (budgets: BodyBudgets, bytes: number) =>
  eventually(`${bytes} bytes are held`, 5_000, () => budgets.large.heldBytes === bytes);
const waiting = (budgets: BodyBudgets, count: number) =>
  eventually(`${count} wait`, 5_000, () => budgets.large.waiting === count);

describe('large bodies', () => {
  it('have their turns in the order in which they came, as many at once as there is room for', async () => {
    const { budgets, send } = await start();
    const first = await send(50_000);
    const second = await send(50_000);
    await held(budgets, 100_000);
    const third = await send(90_000);
    await waiting(budgets, 1);
    const fourth = await send(20_000);
    await waiting(budgets, 2);
    expect(await first.finish()).toBe(201);
    // There is room for the fourth by now, but not before the third.
    expect([budgets.large.heldBytes, budgets.large.waiting]).toEqual([50_000, 2]);
    expect(await second.finish()).toBe(200);
    await held(budgets, 90_000);
    expect(await third.finish()).toBe(200);
    await held(budgets, 20_000);
    expect(await fourth.finish()).toBe(200);
    await held(budgets, 0);
  });

  it('are not read before they have room', async () => {
    const { budgets, send } = await start({ largeBytesMax: 20_000_000 });
    const first = await send(20_000_000);
    await held(budgets, 20_000_000);
    const second = await send(20_000_000);
    await waiting(budgets, 1);
    let isSent = false;
    const sent = second.connection.write(second.body).then(() => {
      isSent = true;
    });
    // The answer to a whole large save takes longer than the kernel to take what it is going to take.
    expect(await first.finish()).toBe(201);
    expect(isSent).toBe(false);
    await sent;
    expect((await second.connection.read()).status).toBe(200);
    second.connection.close();
  });

  it('never keep small and ordinary edits waiting', async () => {
    const { api, budgets, send } = await start();
    const large = [await send(100_000), await send(100_000)];
    await waiting(budgets, 1);
    for (const bytes of [100, freeBytes, freeBytes + 1, ordinaryBytes]) {
      expect(await (await send(bytes)).finish()).toBeLessThan(300);
    }
    expect((await api.dev('GET', '/contents')).status).toBe(200);
    for (const { connection } of large) connection.close();
    await held(budgets, 0);
  });

  it('are refused when too many wait, and told when to come again', async () => {
    const { api, budgets, send } = await start({ waitersMax: 1 });
    const first = await send(100_000);
    await held(budgets, 100_000);
    const second = await send(100_000);
    await waiting(budgets, 1);
    const text = JSON.stringify('x'.repeat(100_000));
    const refused = await api.dev('PUT', '/contents/shop', { text });
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await first.finish()).toBe(201);
    expect(await second.finish()).toBe(200);
  });

  it('are refused when their turn does not come in time', async () => {
    const { budgets, send } = await start({ waitMsMax: 50 });
    const first = await send(100_000);
    await held(budgets, 100_000);
    const second = await send(100_000);
    expect(await second.finish()).toBe(503);
    expect(budgets.large.waiting).toBe(0);
    expect(await first.finish()).toBe(201);
  });

  it('give their room back whatever becomes of them', async () => {
    const { budgets, send } = await start();
    const gone = await send(100_000);
    await held(budgets, 100_000);
    gone.connection.close();
    await held(budgets, 0);
    const faulty = await send(100_000);
    faulty.body.fill('{');
    expect(await faulty.finish()).toBe(400);
    const nowhere = await send(100_000, { path: path.replace('/dev/', '/nowhere/') });
    expect(await nowhere.finish()).toBe(404);
    await held(budgets, 0);
    expect(await (await send(100_000)).finish()).toBe(201);
  });

  it('leave the queue when their sender goes away', async () => {
    const { budgets, send } = await start();
    const first = await send(100_000);
    await held(budgets, 100_000);
    const second = await send(100_000);
    await waiting(budgets, 1);
    second.connection.close();
    await waiting(budgets, 0);
    expect(await first.finish()).toBe(201);
  });

  it('take no room of those who may not send them', async () => {
    const { api, budgets, send } = await start();
    const viewer = await api.call('POST', '/admin/v1/users', { name: 'v', role: 'viewer' });
    const first = await send(100_000);
    await held(budgets, 100_000);
    for (const [token, status] of [
      ['not-a-token', 401],
      [viewer.body.token as string, 403],
    ] as const) {
      const { connection } = await send(100_000, { token });
      // Of its body nothing was sent.
      expect((await connection.read()).status).toBe(status);
      expect(budgets.large.waiting).toBe(0);
      connection.close();
    }
    expect(await first.finish()).toBe(201);
  });
});

describe('a chunked body', () => {
  it('takes no room until it is larger than what is free, and then as much as its route takes', async () => {
    const { budgets, send } = await start();
    const small = await send(freeBytes, { isChunked: true });
    expect(await small.finish()).toBe(201);
    const first = await send(90_000);
    await held(budgets, 90_000);
    const large = await send(freeBytes + 1_000, { isChunked: true });
    await large.connection.write(chunked(large.body, 500).subarray(0, freeBytes + 600));
    await waiting(budgets, 1);
    expect(await first.finish()).toBe(200);
    await held(budgets, 100_000);
    await large.connection.write(chunked(large.body, 500).subarray(freeBytes + 600));
    expect((await large.connection.read()).status).toBe(200);
    large.connection.close();
    await held(budgets, 0);
  });
});

describe('every route that takes large bodies', () => {
  const dev = '/admin/v1/environments/dev';
  const ndjson = 'application/x-ndjson';
  const routes: readonly (readonly [string, Partial<Sent>])[] = [
    ['evaluate', { method: 'POST', path: `${dev}/evaluate` }],
    ['a preview', { method: 'POST', path: `${dev}/preview`, type: ndjson }],
    ['an import', { method: 'POST', path: `${dev}/import`, type: ndjson }],
    ['a dry run of an import', { method: 'POST', path: `${dev}/import?dryRun=true`, type: ndjson }],
    ['a segment', { method: 'PUT', path: `${dev}/segments/s` }],
  ];
  it.each(routes)('waits for room: %s', async (_what, sent) => {
    const { budgets, send } = await start({ ordinaryBytes: 0, largeBytesMax: 3_000_000 });
    const first = await send(3_000_000);
    await held(budgets, 3_000_000);
    const other = await send(2_097_152 + (sent.type === ndjson ? 1_000 : 0), sent);
    const answered = other.finish();
    await waiting(budgets, 1);
    expect(await first.finish()).toBe(201);
    // The bodies make no sense to these routes; that they were read is what counts.
    expect(await answered).toBe(400);
    await held(budgets, 0);
  });
});

describe('a body that does not come', () => {
  const short = { stalledMsMax: 50, graceMsMax: 60_000, bytesPerSecondMin: 1e6 };

  it('keeps its room while nobody else wants it', async () => {
    const { budgets, send } = await start({}, short);
    const slow = await send(100_000);
    await held(budgets, 100_000);
    await new Promise((resolve) => setTimeout(resolve, 3 * short.stalledMsMax));
    expect(await slow.finish()).toBe(201);
  });

  it('is refused when somebody waits for its room', async () => {
    const { budgets, send } = await start({}, short);
    const slow = await send(100_000);
    await held(budgets, 100_000);
    const next = await send(100_000);
    expect(await next.finish()).toBe(201);
    expect((await slow.connection.read()).status).toBe(408);
    await slow.connection.closed();
    await held(budgets, 0);
  });

  it('is refused as well when it comes byte by byte', async () => {
    const { budgets, send } = await start(
      {},
      { stalledMsMax: 60_000, graceMsMax: 50, bytesPerSecondMin: 1e9 },
    );
    const slow = await send(100_000);
    await held(budgets, 100_000);
    const trickle = setInterval(() => void slow.connection.write('{'), 10);
    const next = await send(100_000);
    expect(await next.finish()).toBe(201);
    clearInterval(trickle);
    expect((await slow.connection.read()).status).toBe(408);
    slow.connection.close();
  });
});

it('shows in the metrics what waits and what is held', async () => {
  const { budgets, send } = await start();
  const uploads = [await send(100_000), await send(100_000), await send(ordinaryBytes)];
  await waiting(budgets, 1);
  await eventually('the ordinary one is held', 5_000, () => budgets.ordinary.heldBytes > 0);
  const shown = budgets.gauges().map(({ name, labels, value }) => [name, labels?.['size'], value]);
  expect(shown).toContainEqual(['loadout_admin_bodies_waiting', 'large', 1]);
  expect(shown).toContainEqual(['loadout_admin_bodies_held_bytes', 'large', 100_000]);
  expect(shown).toContainEqual(['loadout_admin_bodies_held_bytes', 'ordinary', ordinaryBytes]);
  for (const { connection } of uploads) connection.close();
});
