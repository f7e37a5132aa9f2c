/** Runs a scenario, step by step; its failure says which step, what was expected, what was seen, and what went over the wire. */
import { setTimeout as pause } from 'node:timers/promises';
import { commandSteps } from './command-steps.js';
import type { Driver } from './driver.js';
import { NotAsExpected } from './expectation.js';
import type { Seen } from './fault-proxy.js';
import { Run, type RunPlace } from './run.js';
import type { Scenario } from './scenario.js';
import { serverSteps } from './server-steps.js';
import type { Contents, Step, StepKind, StepOf } from './step.js';
import { storageSteps } from './storage-steps.js';

/** How long `until` tries: a machine that does other things needs a while for 64 MiB. */
const untilMillisMax = 30_000;
const untilMillisBetween = 20;
/** Of a failure: so many requests, and of each body so much. */
const requestsShown = 8;
const bodyCharsShown = 300;

/** One function for each kind of step. */
const runners: { readonly [K in StepKind]: (run: Run, step: StepOf<K>) => unknown } = {
  ...commandSteps,
  ...storageSteps,
  ...serverSteps,
  until: (run, step) => until(run, [step.until].flat(), step.timesMax ?? Infinity),
  async repeat(run, { repeat, steps }) {
    for (let time = 0; time < repeat; time += 1) await performAll(run, steps);
  },
};

/**
 * Throws with all of the above.
 * @returns the driver, for the next scenario: another one than at first if the scenario has killed that
 */
export async function runScenario(scenario: Scenario, place: RunPlace): Promise<Driver> {
  const run = await Run.begin(place);
  try {
    await run.environment.edit(run.values.fill(scenario.contents) as Contents);
    for (const [index, step] of scenario.steps.entries()) await runStep(run, step, index + 1);
    // The next proxy may have the port of this one: a request that is late would be seen there. Wrong options leave no client.
    await run.send('stop').catch(() => undefined);
    return run.driver;
  } catch (fault) {
    // What it is in the middle of must not meet the next scenario.
    await run.driver.kill();
    const { stderr = '' } = run.driver;
    const what = `${(fault as Error).message}${wireOf(run.proxy.seen)}\n${stderr}`;
    throw new Error(`${scenario.name}\n${what}`);
  } finally {
    run.proxy.close();
  }
}

async function runStep(run: Run, step: Step, number: number): Promise<void> {
  try {
    await perform(run, step);
  } catch (fault) {
    throw new Error(`step ${number} ${JSON.stringify(step.step)}\n${(fault as Error).message}`);
  }
}

async function perform(run: Run, { kind, step }: Step): Promise<void> {
  const runner = runners[kind] as (run: Run, step: unknown) => unknown;
  await runner(run, step);
}

async function performAll(run: Run, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await perform(run, step);
}

async function until(run: Run, steps: readonly Step[], timesMax: number): Promise<void> {
  const deadlineMs = performance.now() + untilMillisMax;
  for (let time = 1; ; time += 1) {
    try {
      return await performAll(run, steps);
    } catch (fault) {
      const isOver = time >= timesMax || performance.now() > deadlineMs;
      if (!(fault instanceof NotAsExpected) || isOver) throw fault;
    }
    await pause(untilMillisBetween);
  }
}

function wireOf(seen: readonly Seen[]): string {
  const lines = seen.slice(-requestsShown).map(({ path, fault, headers, body }) => {
    const sequence = headers['x-min-sequence'];
    const least = sequence === undefined ? '' : ` X-Min-Sequence: ${sequence}`;
    const spoiled = fault === null ? '' : ` (${fault})`;
    return `  ${path}${spoiled}${least} ${JSON.stringify(body).slice(0, bodyCharsShown)}`;
  });
  return `\nthe last of ${seen.length} requests\n${lines.join('\n')}`;
}
