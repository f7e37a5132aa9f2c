/** Clients through the life of a ramp: which streams are woken by each step, by a pause and by a stop, and what each holds then. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rawMembers } from '../../../src/management/http/body/raw-members.js';
import { seededRandom } from '../../support/seeded-random.js';
import type { Environment } from '../../support/server/environment.js';
import { RampedGame } from '../../support/server/ramped-game.js';
import { StreamClient, type Wake } from '../../support/stream/stream-client.js';

const drawn = [
  {
    ...{ segment: 'test', when: {}, salt: 'test' },
    variants: [
      { name: 'a', groups: [0, 499], merge: { variant: 'a' } },
      { name: 'b', groups: [500, 999], merge: { variant: 'b' } },
    ],
  },
];

const items = {
  static: { live: { lines: { '0.0.0': '{"n":1}' } }, next: { lines: { '0.0.0': '{"n":2}' } } },
  dynamic: {
    live: { lines: { '0.0.0': '{"n":1}' }, rules: drawn },
    next: { lines: { '0.0.0': '{"n":2}' }, rules: drawn },
  },
  deleted: { live: { lines: { '0.0.0': '"there"' } }, next: null },
  added: { live: null, next: { lines: { '0.0.0': '{"added":true}' } } },
  untouched: { live: { lines: { '0.0.0': '{"n":3}' } } },
} as const;

const contexts = Array.from({ length: 30 }, (_, at) => (at === 0 ? {} : { u: `player-${at}` }));
const changedIds = ['added', 'deleted', 'dynamic', 'static'];

/** The life of a ramp, and a further one after its stop. */
const transitions: readonly (readonly [string, (ramped: RampedGame) => Promise<number>])[] = [
  ['a start at 10 %', (ramped) => ramped.step(100)],
  ['a step to 50 %', (ramped) => ramped.step(500)],
  ['a pause', (ramped) => ramped.pause()],
  ['a resume', (ramped) => ramped.pause()],
  ['a step to 100 %', (ramped) => ramped.step(1_000)],
  ['a stop', (ramped) => ramped.stop()],
  ['a start at 50 %', (ramped) => ramped.step(500)],
  ['going live', (ramped) => ramped.goLive()],
  ['a revert', (ramped) => ramped.stop()],
];

let ramped: RampedGame;
beforeEach(async () => {
  ramped = await RampedGame.start({ items });
});
afterEach(() => ramped.delivery.stop());

describe('streams', () => {
  const opened: StreamClient[] = [];
  afterEach(() => {
    for (const client of opened.splice(0)) client.close();
  });

  it('are woken by a step, a stop and going live exactly where the selection of their caller changed, and by no pause', async () => {
    const random = seededRandom(20_261_127);
    await ramped.put('bell', { lines: { '0.0.0': '0' } });
    const clients = contexts.map((context, at) => {
      const wakes: Wake[] = [];
      const options = {
        ...{ origin: () => ramped.game.server.deliveryUrl, key: ramped.game.key, context, random },
        ...(at % 3 === 1 ? { ids: [...changedIds, 'bell'] } : {}),
        ...(at % 5 === 2 ? { mode: 'notify' as const } : {}),
      };
      const client = new StreamClient(options, (wake) => wakes.push(wake));
      client.open();
      opened.push(client);
      return { client, wakes, u: context.u };
    });
    await Promise.all(clients.map(({ client }) => client.until(() => client.isUp)));
    let bell = 0;
    for (const [name, make] of transitions) {
      for (const { wakes } of clients) wakes.length = 0;
      const ends = clients.map(({ u }) => ramped.endOf(u));
      const sequence = await make(ramped);
      const concerned = clients.filter(({ u }, at) => ends[at] !== ramped.endOf(u));
      await Promise.all(concerned.map(({ client }) => client.reached(sequence)));
      // It concerns every client: what came before it has been sent by then.
      bell += 1;
      const rung = await ramped.put('bell', { lines: { '0.0.0': String(bell) } });
      await Promise.all(clients.map(({ client }) => client.reached(rung)));
      for (const one of clients) {
        const { wakes, u } = one;
        const ids = wakes.map(({ changed, gone }) => [...changed, ...gone].sort());
        const expected = concerned.includes(one) ? [changedIds, ['bell']] : [['bell']];
        expect([name, u, ids]).toEqual([name, u, expected]);
      }
    }
    expect(clients.flatMap(({ client }) => client.violations)).toEqual([]);
  });
});

/** The client of the specification: fetches what has another `h` than the hash of the copy that it holds, or `d: true`. */
class CatalogClient {
  readonly held: Map<string, string> = new Map();
  readonly #context: { readonly u?: string };
  #etag = '';
  #catalog: Readonly<Record<string, { readonly h: string; readonly d: boolean }>> = {};

  constructor(context: { readonly u?: string }) {
    this.#context = context;
  }

  async round(game: Environment): Promise<void> {
    const answer = await game.catalog(this.#etag === '' ? {} : { 'if-none-match': this.#etag });
    if (answer.status === 200) {
      this.#catalog = answer.json.catalog;
      this.#etag = answer.header('etag');
    }
    for (const id of this.held.keys()) if (!(id in this.#catalog)) this.held.delete(id);
    const wanted = Object.keys(this.#catalog).filter((id) => {
      const { h, d } = this.#catalog[id] as { h: string; d: boolean };
      const held = this.held.get(id);
      return d || held === undefined || JSON.parse(held).hash !== h;
    });
    if (wanted.length === 0) return;
    const { bytes } = await game.combine(wanted, { ...this.#context }, '&dynamic=true');
    for (const [id, entry] of rawMembers(bytes)) {
      const text = Buffer.from(entry).toString();
      if (text.startsWith('"Error 404, ')) this.held.delete(id);
      else this.held.set(id, text);
    }
  }
}

describe('clients that compare the catalog with the hashes that they hold', () => {
  it('hold after each transition what their caller is given then', async () => {
    const clients = contexts.map((context) => ({ context, client: new CatalogClient(context) }));
    for (const [name, make] of [['nothing', async () => 0] as const, ...transitions]) {
      await make(ramped);
      for (const { context, client } of clients) {
        await client.round(ramped.game);
        const listed = Object.keys((await ramped.game.catalog()).json.catalog);
        for (const id of listed) {
          const answer = await ramped.endOf(context.u).wrapped(id, { ...context });
          const expected = answer.status === 200 ? answer.text : undefined;
          expect([name, context, id, client.held.get(id)]).toEqual([name, context, id, expected]);
        }
        expect([...client.held.keys()].every((id) => listed.includes(id))).toBe(true);
      }
    }
  });
});
