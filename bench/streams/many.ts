/** Question: how many streams does one machine hold at once, and how long until all of them are told of an edit? */
import type { Bench, Finding, Question } from '../bench.js';
import { apiKey } from '../data/published-game.js';
import { residentBytesOf } from '../measure/cpu-time.js';
import { kernelBytes } from '../measure/kernel-memory.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { HeldCrew, streamsPerProcess } from './held/held-crew.js';
import { monotonicMs } from './held/held-plan.js';
import { offers, StreamStage } from './stream-stage.js';

const name = 'streams/hundred-thousand';
const streams = 100_000;
const step = 10_000;
/** The kernel shares connections out by a hash of their addresses: none of them may get more than it can hold. */
const processes = Math.ceil(streams / streamsPerProcess);
/** Below the limit of the processes that hold them, which then need not be as full as the server's. */
const perHolder = 15_000;
const stepMsMax = 120_000;
const contents = 3;

export const many: readonly Question[] = [{ name, comparesBuilds: false, answer }];

async function answer(bench: Bench): Promise<Finding> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const kernelBefore = kernelBytes();
  const stage = await StreamStage.start(build, { processes, secure: false, contents });
  const { port } = stage;
  const crew = await HeldCrew.start({
    ...{ port, secure: false, key: apiKey, ids: null, streams },
    perProcess: perHolder,
  });
  try {
    const pids = stage.deliveryPids();
    const empty = residentOf(pids);
    const openedAt = performance.now();
    const held = await holdAsMany(crew, bench);
    const openSeconds = (performance.now() - openedAt) / 1_000;
    const [user, kernel] = [residentOf(pids) - empty, kernelBytes() - kernelBefore];

    crew.forgetWakes();
    const startedAtMs = monotonicMs();
    const sequence = await stage.put(offers, { text: '{"n":1}' });
    const servedAtMs = monotonicMs();
    const told = (): number => crew.wakes.filter((wake) => wake.sequence >= sequence).length;
    await crew.until(`${held} streams are told of an edit`, stepMsMax, () => told() >= held);
    const lastAtMs = crew.wakes.reduce((last, { atMs }) => Math.max(last, atMs), 0);
    if (crew.faults.length > 0) throw new Error(crew.faults.join('; '));

    const figure = (what: string, unit: string, value: number) =>
      figureOf('loadout', what, unit, what === 'open streams' ? 'higher' : 'lower', [value]);
    return figuresFinding(
      name,
      [
        figure('open streams', '', held),
        figure('until all were open', 's', openSeconds),
        figure('attempts that were refused', '', crew.refused),
        figure('resident memory of the processes beyond an empty start', 'MiB', user / 2 ** 20),
        figure('kernel memory, both ends', 'MiB', kernel / 2 ** 20),
        figure(
          'an edit that concerns all: until it is acknowledged',
          'ms',
          servedAtMs - startedAtMs,
        ),
        figure('from then until the last stream has it', 'ms', lastAtMs - servedAtMs),
      ],
      [`${processes} delivery processes on the servers' cores; ${contents + 1} content items`],
    );
  } finally {
    await crew.end();
    await stage.end();
  }
}

/** By steps, so that what the machine does not hold is known to a step. @returns how many are open */
async function holdAsMany(crew: HeldCrew, bench: Bench): Promise<number> {
  for (let count = step; count <= streams; count += step) {
    bench.progress(`${name}: ${count} streams`);
    try {
      await crew.hold(count, stepMsMax);
    } catch (fault) {
      if (count === step) throw fault;
      await crew.hold(count - step, stepMsMax);
      return count - step;
    }
  }
  return streams;
}

function residentOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + residentBytesOf(pid), 0);
}
