/*
 * Goal: no edit holds up the control process or takes it down, however large it is or however hostile its schema.
 * Method: a real server with its workers; while the heavy edit is under way, small calls are answered.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';

/** Half of what the work itself takes in these tests: a machine that is busy must not fail them, a held thread must. */
const heldMsMax = 5_000;

let server: LoadoutServer;
let game: Environment;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server);
});
afterAll(async () => {
  await server?.stop();
});

/** Calls a small route until `work` is done; the longest wait for an answer, in milliseconds. */
async function longestWaitMs(work: Promise<unknown>): Promise<number> {
  const state = { done: false };
  const end = work.finally(() => {
    state.done = true;
  });
  let longest = 0;
  while (!state.done) {
    const startedMs = performance.now();
    expectDone(await server.admin('GET', '/healthz'));
    longest = Math.max(longest, performance.now() - startedMs);
  }
  await end;
  return longest;
}

const put = (id: string, body: object) =>
  server.admin('PUT', `${game.path}/contents/${id}`, { ...body });

/** Takes its worker until it is ended. */
function hostileEdit(description: string): object {
  const schema = { description, properties: { name: { pattern: '^(a+)+$' } } };
  return { text: JSON.stringify({ name: `${'a'.repeat(64)}!` }), schema };
}

async function waitingOf(queue: string): Promise<number> {
  const { text } = await server.admin('GET', '/metrics');
  const found = new RegExp(`^loadout_admin_work_waiting\\{queue="${queue}"\\} (\\d+)$`, 'm').exec(
    text,
  );
  return Number(found?.[1] ?? -1);
}

describe('a heavy edit', () => {
  it('is refused when its schema does not come to an end, and nobody else waits in vain', async () => {
    const schema = { properties: { name: { pattern: '^(a+)+$' } } };
    const text = JSON.stringify({ name: `${'a'.repeat(64)}!` });
    // As many as there are workers for schemas: the sound one waits for its own for longer than it may then take.
    const hostile = ['a', 'b'].map((id) => put(`hostile-${id}`, { text, schema }));
    const sound = put('sound', { text, schema: { required: ['name'] } });
    const waitMs = await longestWaitMs(Promise.all([...hostile, sound]));
    for (const edit of hostile) {
      const refused = await edit;
      expect(refused.status).toBe(400);
      expect(refused.json).toMatchObject({ code: 'too_costly', errors: [{ path: 'schema' }] });
      expect(refused.json.detail).toContain('pattern');
    }
    expect((await sound).status).toBe(201);
    expect(waitMs).toBeLessThan(heldMsMax);
    expect((await game.plain('sound')).text).toBe(text);
    expect((await game.plain('hostile-a')).status).toBe(404);
  }, 60_000);

  it('of a text, a diff or a preview does not wait for schemas that do not come to an end', async () => {
    const text = JSON.stringify({ filler: 'x'.repeat(100_000) });
    expectDone(await put('ordinary', { text }));
    let ended = 0;
    // More than there are workers of any kind, and other ones than above.
    const hostile = Array.from({ length: 5 }, (_, at) => {
      // Those that wait for a worker may wait for longer than the client does.
      const edit = put(`endless-${at}`, hostileEdit(`endless ${at}`)).catch(() => undefined);
      return edit.finally(() => {
        ended += 1;
      });
    });
    await eventually('they are under way', 10_000, async () => (await waitingOf('schema')) === 3);
    expectDone(await put('ordinary', { text: text.replace('x', 'y') }));
    expectDone(await server.admin('GET', `${game.path}/contents/ordinary/diff`));
    const users = '{"id":"ordinary"}\n{"u":"a"}';
    const preview = await send(server.adminUrl, `${game.path}/preview`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ownerToken}`,
        'content-type': 'application/x-ndjson',
      },
      body: users,
    });
    expectDone(preview);
    expect(ended).toBe(0);
    await Promise.all(hostile);
  }, 60_000);
});

describe('a large edit', () => {
  it('of several megabytes is saved, checked and compared by workers', async () => {
    const row = (price: number) =>
      `{"id":"sword-of-a-thousand-truths","price":${price},"tags":["weapon","rare"]}`;
    const many = Array.from({ length: 80_000 }, (_, at) => row(at)).join(',\n');
    const schema = { items: { required: ['id', 'price'] } };
    const mapping = [
      { segment: 's', when: {}, patch: [{ op: 'replace', path: '/0/price', value: 9 }] },
    ];
    const first = await put('large', { text: `[${many}]`, schema, mapping });
    expect(first.status).toBe(201);
    const second = await put('large', { text: `[${row(7)},\n${many}]` });
    expect(second.status).toBe(200);
    const diff = server.admin('GET', `${game.path}/contents/large/diff`);
    const waitMs = await longestWaitMs(diff);
    expect((await diff).json.lines).toMatchObject([
      { pointers: [{ path: '/0', change: 'added' }], textCut: false },
    ]);
    expect(waitMs).toBeLessThan(heldMsMax);
    const broken = await put('large', { text: `[${many},{"id":"x"}]` });
    expect(broken.status).toBe(400);
    expect(broken.json.errors).toMatchObject([
      { path: 'text', line: 80_000, message: expect.stringContaining('/80000 must have') },
    ]);
  }, 120_000);
});

// The last one: those that wait are not waited for.
describe('an edit with a schema', () => {
  it('is refused at once when many schemas wait already', async () => {
    let ended = 0;
    const many = Array.from({ length: 48 }, (_, at) =>
      put(`crowd-${at}`, hostileEdit(`crowd ${at}`)),
    );
    const statuses: number[] = [];
    for (const edit of many) {
      edit.then(
        ({ status, headers }) => {
          statuses.push(status);
          if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          else ended += 1;
        },
        // The server is stopped before the last ones have their turn.
        () => undefined,
      );
    }
    await eventually('some are refused', 9_000, () => statuses.length >= 12);
    expect(statuses.every((status) => status === 503)).toBe(true);
    expect(ended).toBe(0);
    expect(await waitingOf('schema')).toBeLessThanOrEqual(32);
  }, 60_000);
});
