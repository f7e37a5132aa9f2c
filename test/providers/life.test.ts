/**
 * Goal: what happens around evaluations reaches each provider's user as it should: edits, a wrong key, a rate limit, a
 * damaged request, a server that goes and comes back. Method: the provider talks to a real server through a proxy that
 * records what was requested.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.js';
import type { Environment } from '../support/server/environment.js';
import { serveEnvironment } from '../support/server/served-environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { Configuration, Details, Driver, Evaluate } from './driver.js';
import { makeGame } from './game.js';
import { type Provider, providers, whyNot } from './providers.js';
import { RecordingProxy } from './recording-proxy.js';
import { situations } from './situations.js';
import { startDriver } from './start-driver.js';

/** Longer than every wait of a provider: for `Retry-After`, and between two attempts to reach a server. */
const millisMax = 30_000;
const flagPath = /^\/ofrep\/v1\/evaluate\/flags/;
const gems: Evaluate = {
  type: 'integer',
  key: 'kinds/gems',
  default: 1,
  context: { targetingKey: 'ada' },
};

interface Stage {
  readonly driver: Driver;
  readonly proxy: RecordingProxy;
  /** Of the evaluations that the server responded to. */
  evaluations(): RecordingProxy['exchanges'];
}

/** A driver of its own, configured for the game behind a proxy of its own; both end with the test. */
async function stage(
  provider: Provider,
  game: Environment,
  more: Partial<Configuration> = {},
): Promise<Stage> {
  const proxy = await RecordingProxy.start(game.server.deliveryUrl);
  const driver = await startDriver(provider);
  onTestFinished(async () => {
    await driver.stop();
    proxy.close();
  });
  await driver.configure({
    baseUrl: proxy.url,
    headers: { 'X-Api-Key': game.key },
    context: { targetingKey: 'ada' },
    ...more,
  });
  const evaluations = () =>
    proxy.exchanges.filter(({ method, path }) => method === 'POST' && flagPath.test(path));
  return { driver, proxy, evaluations };
}

async function gemsAre(driver: Driver, count: number): Promise<Details> {
  return await eventually(`${count} gems`, millisMax, async () => {
    const details = await driver.evaluate(gems);
    return details.valueJson === String(count) ? details : null;
  });
}

const setGems = (game: Environment, count: number) =>
  game.put('kinds', `{ "gems": ${count} }`, { flags: ['/gems'] });

describe.each(providers)('$name', (provider) => {
  const missing = whyNot(provider);
  describe.skipIf(missing !== null)('beside a server', () => {
    const served = serveEnvironment(makeGame);

    it(situations.bearerToken.name, async () => {
      const headers = { Authorization: `Bearer ${served.game.key}` };
      const { driver } = await stage(provider, served.game, { headers });
      expect(await driver.evaluate(gems)).toMatchObject({ valueJson: '100', errorCode: null });
    });

    it(situations.wrongKey.name, async () => {
      const headers = { 'X-Api-Key': 'no-such-key-0123456789' };
      const { driver, evaluations } = await stage(provider, served.game, { headers });
      const details = await driver.evaluate(gems);
      const errorCode = provider.isStatic ? 'PROVIDER_FATAL' : 'GENERAL';
      expect(details).toMatchObject({ valueJson: '1', reason: 'ERROR', errorCode });
      expect(evaluations().map(({ status }) => status)).toEqual([401]);
    });

    it(situations.damagedRequest.name, async () => {
      const { driver, proxy, evaluations } = await stage(provider, served.game);
      proxy.spoil = (body) => body.subarray(0, -1);
      if (provider.isStatic) {
        await driver.setContext({ targetingKey: 'grace' });
        const { message } = await driver.waitForEvent('error');
        expect(message).toContain('400');
      } else {
        const errorCode = provider.name === 'Java' ? 'INVALID_CONTEXT' : 'PARSE_ERROR';
        expect(await driver.evaluate(gems)).toMatchObject({ valueJson: '1', errorCode });
      }
      expect(evaluations().at(-1)?.status).toBe(400);
    });

    it(situations.metadata.name, async () => {
      const { driver } = await stage(provider, served.game);
      const { hash } = (await served.game.wrapped('kinds')).json;
      const { flagMetadata } = await driver.evaluate(gems);
      expect(flagMetadata).toMatchObject({ hash });
    });

    it(situations.contextChange.name, async () => {
      const { driver } = await stage(provider, served.game);
      const price: Evaluate = { type: 'integer', key: 'aimed/price', default: 1 };
      for (const [level, expected] of [
        [1, '499'],
        [12, '399'],
        [2, '499'],
      ] as const) {
        const context = { targetingKey: 'ada', level };
        const { valueJson } = await driver.evaluate({ ...price, context });
        expect(valueJson).toBe(expected);
      }
    });

    it(situations.edit.name, async () => {
      const { driver } = await stage(provider, served.game);
      await gemsAre(driver, 100);
      await setGems(served.game, 200);
      if (provider.isStatic) await driver.waitForEvent('changed');
      expect(await driver.evaluate(gems)).toMatchObject({ valueJson: '200' });
    });
  });

  it.skipIf(missing !== null)(situations.rateLimit.name, async () => {
    const limited = await startServer({ listeners: 1, flags: ['--key-rate-max', '4'] });
    const game = await makeGame(limited);
    // What an event of the stream asks for, the web provider asks at once, whatever the limit said.
    const { driver, evaluations } = await stage(provider, game, { changeDetection: 'none' });
    await gemsAre(driver, 100);
    const limitReached = async (): Promise<boolean> => {
      await Promise.all(Array.from({ length: 20 }, () => game.wrapped('kinds')));
      if (provider.isStatic) await driver.setContext({ targetingKey: String(Math.random()) });
      else await driver.evaluate(gems);
      return evaluations().at(-1)?.status === 429;
    };
    await eventually('the rate limit', millisMax, limitReached);
    const retryAfter = evaluations().at(-1)?.responseHeaders['retry-after'];
    expect(retryAfter).toMatch(/^[1-9]\d*$/);
    const before = evaluations().length;
    if (provider.isStatic) {
      await driver.waitForEvent('stale');
      await driver.setContext({ targetingKey: 'grace' });
    } else {
      expect(await driver.evaluate(gems)).toMatchObject({ valueJson: '1', errorCode: 'GENERAL' });
    }
    // The Go provider leaves the waiting to its user.
    expect(evaluations().length - before).toBe(provider.name === 'Go' ? 1 : 0);
    await eventually('an evaluation after the wait', millisMax, async () => {
      if (provider.isStatic) await driver.setContext({ targetingKey: String(Math.random()) });
      else await driver.evaluate(gems);
      return evaluations().at(-1)?.status === 200;
    });
  });

  it.skipIf(missing !== null)(situations.serverBack.name, async () => {
    const data = makeDataFolder();
    const first = await startServer({ data, listeners: 1 });
    const game = await makeGame(first);
    const { driver } = await stage(provider, game);
    await gemsAre(driver, 100);
    await first.stop();
    if (provider.isStatic) {
      await driver.waitForEvent('stale');
      expect(await driver.evaluate(gems)).toMatchObject({ valueJson: '100' });
    } else {
      expect(await driver.evaluate(gems)).toMatchObject({ valueJson: '1', errorCode: 'GENERAL' });
    }
    const { deliveryPort: port, adminPort } = first;
    const second = await startServer({ data, listeners: 1, port, adminPort });
    await setGems(game.on(second), 300);
    await gemsAre(driver, 300);
  });
});
