/**
 * Every scenario of every kit, many times, in random order: one that fails once in fifty runs is a defect of the kit or of
 * the scenario. `LOADOUT_KITS_ROUNDS` says how often (50), `LOADOUT_SOAK_SEED` repeats an order.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerUnderTest } from '../../clients/conformance/game-environment.js';
import { KitUnderTest } from '../../clients/conformance/kit-under-test.js';
import { kits } from '../../clients/conformance/kits.js';
import { readScenarios, type Scenario } from '../../clients/conformance/scenario.js';
import { kitBuildMillisMax, startKitServer, whyNot } from '../kits/kit-server.js';
import { seededRandom } from '../support/seeded-random.js';

const rounds = Number(process.env['LOADOUT_KITS_ROUNDS'] ?? 50);
const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? Date.now() % 1_000_000);
/** As many as in the suite `kits`. */
const atOnce = 6;

const all = readScenarios().flatMap(({ scenarios }) => scenarios);
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

    it(`every scenario ${rounds} times, in the order of seed ${seed}`, async () => {
      const random = seededRandom(seed);
      const failures: string[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const mine = all.filter(({ except }) => except[kit.name] === undefined);
        const failed = await runAll(tested, shuffled(mine, random));
        failures.push(...failed.map((message) => `round ${round}: ${message}`));
        console.log(`${kit.name}, round ${round}: ${failed.length} of ${mine.length} failed`);
      }
      expect(failures, `seed ${seed}`).toEqual([]);
    });
  });
}

/** @returns what failed */
async function runAll(kit: KitUnderTest, scenarios: readonly Scenario[]): Promise<string[]> {
  const left = [...scenarios];
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let scenario = left.pop(); scenario !== undefined; scenario = left.pop()) {
      await kit.run(scenario).catch((fault: Error) => failures.push(fault.message));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failures;
}

/** Fisher and Yates. */
function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}
