/** OFREP while a release ramps: flags, ETags and streams of callers that are in, and of those that are not. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Environment } from '../../support/server/environment.js';
import { RampedGame } from '../../support/server/ramped-game.js';
import { type OpenStream, OpenStreams } from '../../support/stream/open-stream.js';

const items = {
  shop: {
    live: { lines: { '0.0.0': '{"price":1,"gems":5}' }, flags: ['/price'] },
    next: { lines: { '0.0.0': '{"price":2,"gems":5}' }, flags: ['/gems', '/price'] },
  },
  deleted: { live: { lines: { '0.0.0': 'true' }, flags: [''] }, next: null },
  added: { live: null, next: { lines: { '0.0.0': '"new"' }, flags: [''] } },
  untouched: { live: { lines: { '0.0.0': '3' }, flags: [''] } },
} as const;

const keys = ['shop/price', 'shop/gems', 'deleted', 'added', 'untouched', 'unknown'];
const contexts = Array.from({ length: 16 }, (_, at) =>
  at === 0 ? {} : { targetingKey: `player-${at}` },
);
/** Too large for a token: its stream knows nothing of the caller. */
const large = { targetingKey: 'player-0', text: 'x'.repeat(8_000) };

let ramped: RampedGame;
const streams = new OpenStreams();
beforeEach(async () => {
  ramped = await RampedGame.start({ items });
});
afterEach(async () => {
  streams.closeAll();
  await ramped.delivery.stop();
});

async function flagsOf(game: Environment, context: object) {
  const single = await Promise.all(
    keys.map(async (key) => {
      const { status, text } = await game.flag(encodeURIComponent(key), { context });
      return [status, text];
    }),
  );
  return { single, bulk: (await game.flags({ context })).json.flags };
}

it('evaluates the flags of what the caller is given, one by one and all', async () => {
  const transitions = [
    () => ramped.step(300),
    () => ramped.step(600),
    () => ramped.pause(),
    () => ramped.stop(),
    () => ramped.goLive(),
  ];
  for (const make of transitions) {
    await make();
    for (const context of contexts) {
      const u = 'targetingKey' in context ? context.targetingKey : undefined;
      const expected = await flagsOf(ramped.endOf(u), context);
      expect(await flagsOf(ramped.game, context), JSON.stringify(context)).toEqual(expected);
    }
  }
});

it('has another ETag for a caller exactly where a step or a stop changes what the caller is given', async () => {
  const etags = new Map<object, string>();
  const transitions = [
    () => ramped.step(300),
    () => ramped.pause(),
    () => ramped.step(600),
    () => ramped.stop(),
  ];
  const statuses = { 200: 0, 304: 0 };
  for (const context of contexts) {
    etags.set(context, (await ramped.game.flags({ context })).header('etag'));
  }
  for (const make of transitions) {
    const ends = contexts.map(({ targetingKey: u }: { targetingKey?: string }) => ramped.endOf(u));
    await make();
    for (const [at, context] of contexts.entries()) {
      const u = 'targetingKey' in context ? context.targetingKey : undefined;
      const headers = { 'if-none-match': etags.get(context) as string };
      const answer = await ramped.game.flags({ context }, headers);
      expect(answer.status).toBe(ends[at] === ramped.endOf(u) ? 304 : 200);
      statuses[answer.status as 200 | 304] += 1;
      etags.set(context, answer.header('etag'));
    }
  }
  expect(Math.min(statuses[200], statuses[304])).toBeGreaterThan(5);
});

async function connect(context: object): Promise<OpenStream> {
  const { eventStreams, metadata } = (await ramped.game.flags({ context })).json;
  const path = eventStreams[0].endpoint.requestUri;
  const headers = { 'last-event-id': String(metadata.sequence) };
  return streams.open(ramped.game, '', { method: 'GET', path, headers });
}

it('wakes the streams of callers whose flags change, and at a step those of which it knows no caller', async () => {
  const opened = await Promise.all(
    contexts.map(async (context) => ({
      u: 'targetingKey' in context ? context.targetingKey : undefined,
      stream: await connect(context),
    })),
  );
  const blind = await connect(large);
  const everyone = [...opened.map(({ stream }) => stream), blind];
  const etagsOf = (stream: OpenStream) => stream.rest().map(({ etag }) => Number(etag));
  let bell = 0;
  for (const [make, wakesBlind] of [
    [() => ramped.step(300), true],
    [() => ramped.pause(), false],
    [() => ramped.step(600), true],
    [() => ramped.stop(), true],
  ] as const) {
    const ends = opened.map(({ u }) => ramped.endOf(u));
    const sequence = await make();
    const concerned: OpenStream[] = opened
      .filter(({ u }, at) => ends[at] !== ramped.endOf(u))
      .map(({ stream }) => stream);
    if (wakesBlind) concerned.push(blind);
    const has = (stream: OpenStream, least: number) =>
      stream.until('an event', () => Number(stream.events.at(-1)?.lastEventId ?? 0) >= least);
    await Promise.all(concerned.map((stream) => has(stream, sequence)));
    // It concerns every client: what came before it has been sent by then.
    bell += 1;
    const rung = await ramped.put('bell', { lines: { '0.0.0': String(bell) }, flags: [''] });
    await Promise.all(everyone.map((stream) => has(stream, rung)));
    for (const stream of everyone) {
      expect(etagsOf(stream)).toEqual(concerned.includes(stream) ? [sequence, rung] : [rung]);
    }
  }
});
