/*
 * Goal: no edit holds up the control process or takes it down, however large it is or however hostile its schema.
 * Method: a real server with its workers; while the heavy edit is under way, small calls are answered.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../support/environment.js';
import { type LoadoutServer, startServer } from '../support/server.js';

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

describe('a heavy edit', () => {
  it('is refused when its schema does not come to an end, and nobody else waits in vain', async () => {
    const schema = { properties: { name: { pattern: '^(a+)+$' } } };
    const text = JSON.stringify({ name: `${'a'.repeat(64)}!` });
    // As many as there are workers: the sound one waits for its own for longer than it may then take.
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
