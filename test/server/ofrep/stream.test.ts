/** OFREP's stream: who is told to evaluate again, and when. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { type OpenStream, OpenStreams } from '../../support/stream/open-stream.js';

const server = sharedServer();
let game: Environment;
const streams = new OpenStreams();

beforeAll(async () => {
  game = await makeEnvironment(server);
  await put('shop', '{"price":1,"big":2}', ['/price']);
  await game.put('news', '"hello"');
});

afterEach(() => streams.closeAll());

function put(id: string, text: string, flags: readonly string[], mapping?: readonly unknown[]) {
  return server
    .admin('PUT', `${game.path}/contents/${id}`, { text, flags, ...(mapping && { mapping }) })
    .then(expectDone);
}

async function evaluate(context: object, env = game) {
  const { json } = await env.ask('POST', '/ofrep/v1/evaluate/flags', { context });
  return json;
}

/** What a provider does: evaluates all flags, and connects to where the response says. */
async function connect(
  context: object,
  lastEventId?: string,
  env = game,
): Promise<{ stream: OpenStream; path: string }> {
  const { eventStreams, metadata } = await evaluate(context, env);
  const path = eventStreams[0].endpoint.requestUri;
  const headers = { 'last-event-id': lastEventId ?? String(metadata.sequence) };
  const stream = await streams.open(env, '', { method: 'GET', path, headers });
  expect(stream.status).toBe(200);
  return { stream, path };
}

/** What an event says. */
const refetch = (sequence: number) => ({ type: 'refetchEvaluation', etag: String(sequence) });

describe('a stream of OFREP', () => {
  it('tells of what changes a flag for its caller, and of nothing else', async () => {
    const rules = [{ segment: 'us', when: { country: 'US' }, merge: { price: 3 } }];
    const { stream: us } = await connect({ targetingKey: 'a', country: 'US' });
    const { stream: pl } = await connect({ targetingKey: 'a', country: 'PL' });
    await game.put('news', '"other"');
    const { sequence } = (await put('shop', '{"price":1,"big":2}', ['/price'], rules)).json;
    expect(await us.next()).toEqual(refetch(sequence));
    expect(us.events).toMatchObject([{ type: 'message', lastEventId: String(sequence) }]);
    const listed = (await put('news', '"other"', [''])).json;
    expect(await pl.next()).toEqual(refetch(listed.sequence));
    expect(await us.next()).toEqual(refetch(listed.sequence));
    const unlisted = (await put('news', '"other"', [])).json;
    expect(await pl.next()).toEqual(refetch(unlisted.sequence));
  });

  it('evaluates for the caller again where the event says so', async () => {
    const { stream } = await connect({ targetingKey: 'b' });
    await put('shop', '{"price":7,"big":2}', ['/price'], []);
    const { etag } = await stream.next();
    const { json } = await game.ask('POST', `/ofrep/v1/evaluate/flags?flagConfigEtag=${etag}`, {
      context: { targetingKey: 'b' },
    });
    expect(json.flags.map(({ value }: { value: unknown }) => value)).toEqual([7]);
  });

  it('tells at once who has missed something', async () => {
    const { stream } = await connect({ targetingKey: 'c' }, '1');
    expect(await stream.next()).toMatchObject({ type: 'refetchEvaluation' });
  });

  it('knows of a caller whose context is too large only that something was edited', async () => {
    const { stream } = await connect({ targetingKey: 'd', much: 'x'.repeat(5_000) });
    await game.put('news', '"unlisted"');
    const rules = [{ segment: 'no', when: { country: 'XX' }, merge: { price: 3 } }];
    const { sequence } = (await put('shop', '{"price":1}', ['/price'], rules)).json;
    expect(await stream.next()).toEqual(refetch(sequence));
  });

  it('says first where it stands, so that a client that comes back is told of what it missed', async () => {
    const context = { targetingKey: 'e' };
    const { metadata } = await evaluate(context);
    const { stream, path } = await connect(context);
    await stream.until('its id', () => stream.bytes.includes('\n\n'));
    expect(stream.bytes.toString()).toBe(`id: ${metadata.sequence}\n\n`);
    stream.close();
    const { sequence } = (await put('shop', '{"price":8,"big":2}', ['/price'], [])).json;
    const back = await streams.open(game, '', {
      ...{ method: 'GET', path },
      headers: { 'last-event-id': String(metadata.sequence) },
    });
    expect(await back.next()).toEqual(refetch(sequence));
  });

  it('knows the edge of a window that concerns its caller: one without a key, one of whom it knows nothing', async () => {
    const dated = await makeEnvironment(server);
    const from = new Date(Date.now() + 2_000).toISOString();
    const variants = [{ name: 'all', groups: [0, 999], merge: { price: 3 } }];
    const draw = { segment: 'test', when: {}, from, variants };
    const saved = await server.admin('PUT', `${dated.path}/contents/offer`, {
      ...{ text: '{"price":1}', flags: ['/price'], mapping: [draw] },
    });
    const { sequence } = expectDone(saved).json;
    const { stream: nobody } = await connect({}, undefined, dated);
    const much = { targetingKey: 'f', much: 'x'.repeat(5_000) };
    const { stream: blind } = await connect(much, undefined, dated);
    expect((await evaluate({}, dated)).flags).toMatchObject([{ value: 1 }]);
    expect(await nobody.next()).toEqual(refetch(sequence));
    expect(await blind.next()).toEqual(refetch(sequence));
    // From then on a draw decides, and there is nobody to draw for.
    expect((await evaluate({}, dated)).flags).toMatchObject([
      { errorCode: 'TARGETING_KEY_MISSING' },
    ]);
  });

  it('in local time is known too: of a caller at their own clock, of one unknown at a quarter of an hour', async () => {
    const dated = await makeEnvironment(server);
    const fromMs = Date.now() + 2_500;
    const from = new Date(fromMs + 540 * 60_000).toISOString().slice(0, -1);
    const rule = { segment: 'evening', when: {}, from, merge: { price: 3 } };
    const saved = await server.admin('PUT', `${dated.path}/contents/offer`, {
      ...{ text: '{"price":1}', flags: ['/price'], mapping: [rule] },
    });
    const { sequence } = expectDone(saved).json;
    const at = (utcOffset: number) => ({ targetingKey: 'g', utcOffset });
    const [tokyo, later] = [at(540), at(510)];
    const { stream } = await connect(tokyo, undefined, dated);
    const { stream: other } = await connect(later, undefined, dated);
    const { stream: blind } = await connect(
      { ...tokyo, much: 'x'.repeat(5_000) },
      ...[undefined, dated],
    );
    expect((await evaluate(tokyo, dated)).flags).toMatchObject([{ value: 1 }]);
    expect(await stream.next()).toEqual(refetch(sequence));
    expect(await blind.next()).toEqual(refetch(sequence));
    expect((await evaluate(tokyo, dated)).flags).toMatchObject([{ value: 3 }]);
    expect((await evaluate(later, dated)).flags).toMatchObject([{ value: 1 }]);
    const again = await server.admin('PUT', `${dated.path}/contents/offer`, {
      ...{ text: '{"price":2}', flags: ['/price'], mapping: [rule] },
    });
    expect(await other.next()).toEqual(refetch(expectDone(again).json.sequence));
  });

  it('ends with its key, and no token of it opens another', async () => {
    const other = await makeEnvironment(server);
    const { stream, path } = await connect({}, undefined, other);
    expectDone(await server.admin('DELETE', `${other.path}/keys/${other.keyId}`));
    await stream.ended();
    expect(stream.events).toEqual([]);
    const refused = await other.ask('GET', path);
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ errorCode: 'GENERAL' });
  });
});
