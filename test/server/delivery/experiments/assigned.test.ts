/** Which users delivery counts for the experiments that run: those who were given a variant, on whatever path, and no others. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentHash, digestOf } from '../../../../src/content/hash.js';
import { AssignedSketch, unionOf } from '../../../../src/content/sketch/assigned-sketch.js';
import { decodeSketch } from '../../../../src/content/sketch/sketch-bytes.js';
import type { PublishedChange } from '../../../../src/published/change.js';
import {
  type EnvironmentSettings,
  noSettings,
  type PublishedExperiment,
} from '../../../../src/published/environment-settings.js';
import { expectCounted, playersOf, userHashOf } from '../../../support/server/counted-game.js';
import type { Environment } from '../../../support/server/environment.js';
import { LoneDelivery } from '../../../support/server/lone-delivery.js';
import { OpenStreams } from '../../../support/stream/open-stream.js';

const salt = 'test-1';
const rule = (segment: string) => ({
  ...{ segment, when: {}, salt },
  variants: [
    { name: 'control', groups: [0, 399] },
    { name: 'cheap', groups: [400, 799], merge: { price: 1 } },
  ],
});
const experiment = (id: string, content: string, segment: string): PublishedExperiment => ({
  ...{ id, phase: 1, content, segment, salt, variants: ['control', 'cheap'] },
});
const running: EnvironmentSettings = {
  ...noSettings,
  experiments: [experiment('prices', 'shop', 'pricing'), experiment('news', 'news', 'wording')],
};

function contentOf(id: string, rules: readonly object[], more: Partial<PublishedChange> = {}) {
  const json = Buffer.from('{"price":5,"title":"Shop"}');
  const lines = [{ version: '0.0.0', digest: digestOf(json), hash: contentHash(json), json }];
  const delivery = { lines, mapping: JSON.stringify(rules), flags: ['/price'] };
  const base = { kind: 'content', environment: 'game', id, ...delivery, candidate: null } as const;
  return { ...base, ...more } as PublishedChange;
}
const shop = contentOf('Shop', [rule('other'), rule('pricing')]);
const news = contentOf('news', [rule('wording')]);

/** Users by variant, as the `seg` of responses says. */
class Seen {
  readonly users = new Map<string, Set<string>>();

  /** @param entry a wrapped value */
  add(u: string, segment: string, entry: { meta: { seg: { n: string; v: string }[] } }): void {
    for (const { n, v } of entry.meta.seg) {
      if (n !== segment) continue;
      this.users.set(v, (this.users.get(v) ?? new Set()).add(u));
    }
  }
}

async function startGame(settings: EnvironmentSettings = running) {
  const delivery = await LoneDelivery.start();
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (!isStopped) await delivery.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  const game = await delivery.environment('game', settings);
  await delivery.publish([shop, news]);
  return { delivery, game, stop };
}

/** Everything that was reported of an experiment. */
function counted({ assigned }: LoneDelivery, id: string, phase = 1): AssignedSketch {
  const sketches = assigned
    .filter((report) => report.experiment === id && report.phase === phase)
    .map(({ users }) => decodeSketch(Buffer.from(users, 'base64')) as AssignedSketch);
  return sketches.length === 0 ? new AssignedSketch(['control', 'cheap']) : unionOf(sketches);
}

function expectSame(delivery: LoneDelivery, sketch: AssignedSketch, { users }: Seen): void {
  expectCounted(sketch, users, userHashOf(delivery.streamKey));
}

const tagsOf = (contents: Record<string, { tag: string }>) =>
  Object.fromEntries(Object.entries(contents).map(([id, { tag }]) => [id, tag]));

/** Asks on every path that delivers a selection, each with users of its own. */
async function askOnEveryPath(game: Environment, prices: Seen, wording: Seen): Promise<void> {
  for (const u of playersOf('wrapped', 40)) {
    prices.add(u, 'pricing', (await game.wrapped('shop', { u })).json);
  }
  for (const u of playersOf('serialized', 40)) {
    const { json } = await game.wrapped('Shop', { u }, '?responseType=serialized');
    prices.add(u, 'pricing', json);
  }
  for (const u of playersOf('gzip', 40)) {
    const body = JSON.stringify({ u });
    const path = '/api/v1/config/shop/dynamic';
    const answer = await game.ask('POST', path, body, { 'accept-encoding': 'gzip' });
    prices.add(u, 'pricing', answer.json);
  }
  for (const u of playersOf('combine', 40)) {
    const { json } = await game.combine(['shop', 'news', 'none'], { u }, '&dynamic=true');
    prices.add(u, 'pricing', json.shop);
    wording.add(u, 'wording', json.news);
  }
  for (const u of playersOf('refresh', 40)) {
    const { json } = await game.refresh({ u });
    prices.add(u, 'pricing', json.contents.Shop);
    wording.add(u, 'wording', json.contents.news);
  }
}

describe('users of running experiments', () => {
  it('are counted on every path that delivers a selection, exactly', async () => {
    const { delivery, game, stop } = await startGame();
    const [prices, wording] = [new Seen(), new Seen()];
    await askOnEveryPath(game, prices, wording);
    const streams = new OpenStreams();
    for (const u of playersOf('stream', 10)) {
      const stream = await streams.first(game, { u });
      const { contents } = JSON.parse(stream.events[0]?.data ?? '');
      prices.add(u, 'pricing', contents.Shop);
      wording.add(u, 'wording', contents.news);
    }
    streams.closeAll();
    for (const u of playersOf('flag', 40)) {
      const { json } = await game.flag('shop/price', { context: { targetingKey: u } });
      if (!json.variant.includes('pricing:')) continue;
      const v = json.variant.split('pricing:')[1];
      prices.add(u, 'pricing', { meta: { seg: [{ n: 'pricing', v }] } });
    }
    for (const u of playersOf('bulk', 40)) {
      const { json } = await game.flags({ context: { targetingKey: u } });
      for (const { key, variant } of json.flags as { key: string; variant: string }[]) {
        const [seen, name] = key.startsWith('Shop') ? [prices, 'pricing'] : [wording, 'wording'];
        const v = variant.split(`${name}:`)[1];
        if (v !== undefined) seen.add(u, name, { meta: { seg: [{ n: name, v }] } });
      }
    }
    // None of these is given a variant by its user id.
    await game.wrapped('shop', {});
    await game.plain('shop', { u: 'plain' });
    await game.combine(['shop'], { u: 'plain-combine' });
    expect((await game.flag('shop/none', { context: { targetingKey: 'missing' } })).status).toBe(
      404,
    );
    await stop();
    expect(prices.users.get('cheap')?.size).toBeGreaterThan(60);
    expectSame(delivery, counted(delivery, 'prices'), prices);
    expectSame(delivery, counted(delivery, 'news'), wording);
  });

  it('are counted for what they hold already, when a refresh or a stream confirms it', async () => {
    const { delivery, game, stop } = await startGame(noSettings);
    const held = new Map<string, Record<string, string>>();
    const prices = new Seen();
    for (const u of playersOf('before', 30)) {
      const { json } = await game.refresh({ u });
      held.set(u, tagsOf(json.contents));
      prices.add(u, 'pricing', json.contents.Shop);
    }
    await delivery.publish([{ kind: 'environment', environment: 'game', settings: running }]);
    const streams = new OpenStreams();
    for (const [at, [u, have]] of [...held].entries()) {
      if (at % 2 === 0) {
        expect((await game.refresh({ u, have })).json.contents).toEqual({});
        continue;
      }
      const stream = await streams.first(game, { u, have });
      expect(JSON.parse(stream.events[0]?.data ?? '').contents).toEqual({});
    }
    streams.closeAll();
    await stop();
    expect(prices.users.size).toBe(2);
    expectSame(delivery, counted(delivery, 'prices'), prices);
  });

  it('are counted while the experiment runs and its rule assigns by the same salt', async () => {
    const { delivery, game, stop } = await startGame();
    const [first, second] = [new Seen(), new Seen()];
    const ask = async (prefix: string, seen: Seen | null): Promise<void> => {
      for (const u of playersOf(prefix, 20)) {
        const { json } = await game.wrapped('shop', { u });
        seen?.add(u, 'pricing', json);
      }
    };
    const settingsOf = (...experiments: PublishedExperiment[]) =>
      ({
        kind: 'environment',
        environment: 'game',
        settings: { ...running, experiments },
      }) as const;
    const prices = experiment('prices', 'shop', 'pricing');
    await ask('runs', first);
    await delivery.publish([settingsOf()]);
    await ask('stopped', null);
    await delivery.publish([settingsOf({ ...prices, salt: 'other' })]);
    await ask('other-salt', null);
    await delivery.publish([settingsOf({ ...prices, phase: 2 })]);
    await ask('again', second);
    // An edit of the content that leaves the rule as it is.
    await delivery.publish([contentOf('Shop', [rule('pricing')])]);
    await ask('edited', second);
    await delivery.publish([contentOf('Shop', [{ ...rule('pricing'), salt: 'test-2' }])]);
    await ask('changed', null);
    await stop();
    expectSame(delivery, counted(delivery, 'prices'), first);
    expectSame(delivery, counted(delivery, 'prices', 2), second);
  });

  it('are counted in both slices of a ramp', async () => {
    const { delivery, game, stop } = await startGame();
    const { lines, mapping, flags } = shop as Extract<PublishedChange, { kind: 'content' }>;
    const candidate = {
      ...{ release: 'r', run: 1, salt: 'ramp', step: 0, receipts: false, permille: 500 },
      content: { lines, mapping: mapping.replace('"other"', '"another"'), flags },
    };
    await delivery.publish([contentOf('Shop', [rule('other'), rule('pricing')], { candidate })]);
    const prices = new Seen();
    const segments = new Set<string>();
    for (const u of playersOf('ramped', 60)) {
      const { json } = await game.wrapped('shop', { u });
      prices.add(u, 'pricing', json);
      for (const { n } of json.meta.seg) segments.add(n);
    }
    await stop();
    expect([...segments].sort()).toEqual(['another', 'other', 'pricing']);
    expectSame(delivery, counted(delivery, 'prices'), prices);
  });
});
