/** Goal: each provider evaluates each case as its SDK's users expect. Method: cases.ts, against one server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { cases, type Outcome } from './cases.js';
import type { Details, Driver } from './driver.js';
import { makeGame } from './game.js';
import { providers, whyNot } from './providers.js';
import { startDriver } from './start-driver.js';

let game: Environment;

beforeAll(async () => {
  game = await makeGame(await startServer());
});

function outcomeOf(details: Details, expected: Outcome): Outcome {
  const { valueJson, reason, variant, errorCode } = details;
  const value =
    expected.valueJson === undefined
      ? { value: JSON.parse(valueJson) }
      : { value: null, valueJson };
  return { ...value, reason: reason ?? '', variant, errorCode };
}

describe.each(providers)('$name', (provider) => {
  const missing = whyNot(provider);
  if (missing !== null) console.warn(`skipped: ${missing}`);
  describe.skipIf(missing !== null)('evaluates', () => {
    let driver: Driver;
    beforeAll(async () => {
      driver = await startDriver(provider);
      const headers = { 'X-Api-Key': game.key };
      expect(await driver.configure({ baseUrl: game.server.deliveryUrl, headers })).toBeNull();
    });
    afterAll(async () => await driver?.stop());

    it.each(cases)('$name', async ({ evaluate, outcome, except }) => {
      const expected = except?.[provider.name]?.outcome ?? outcome;
      const details = await driver.evaluate(evaluate);
      expect(outcomeOf(details, expected), details.errorMessage ?? undefined).toEqual(expected);
    });
  });
});
