/** Goal: each kit passes each scenario. Method: its driver before a real server, behind a proxy that does what networks do. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ServerUnderTest } from '../../clients/conformance/game-environment.js';
import { KitUnderTest } from '../../clients/conformance/kit-under-test.js';
import { kits } from '../../clients/conformance/kits.js';
import { readScenarios } from '../../clients/conformance/scenario.js';
import { kitBuildMillisMax, startKitServer, whyNot } from './kit-server.js';

const groups = readScenarios();
let server: ServerUnderTest;

beforeAll(async () => {
  server = await startKitServer();
});

for (const kit of kits) {
  const missing = whyNot(kit);
  if (missing !== null) console.warn(`skipped: ${missing}`);
  describe.skipIf(missing !== null)(kit.name, () => {
    let tested: KitUnderTest;
    beforeAll(async () => {
      tested = await KitUnderTest.build(kit, server);
    }, kitBuildMillisMax);
    afterAll(() => tested?.end());

    for (const { title, scenarios } of groups) {
      for (const scenario of scenarios) {
        if (scenario.except[kit.name] !== undefined) continue;
        it.concurrent(`${title}: ${scenario.name}`, () => tested.run(scenario));
      }
    }
  });
}
