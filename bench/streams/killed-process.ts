/**
 * Question: what do players notice of a delivery process that is killed? Its streams come back to the others and to the one
 * that takes its place, each after a delay at random; ordinary requests to the others go on meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Finding, Question } from '../bench.js';
import { apiKey } from '../data/published-game.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { HeldCrew } from './held/held-crew.js';
import { monotonicMs } from './held/held-plan.js';
import { OrdinaryRequests } from './ordinary-requests.js';
import { StreamStage } from './stream-stage.js';

const name = 'streams/killed-process';
const processes = 4;
const streams = 20_000;
const contents = 3;
const openMsMax = 300_000;
const backMsMax = 120_000;
const requestsPerSecond = 1_000;
/** Requests go on for so long after all streams are back. */
const afterMs = 2_000;

export const killedProcess: readonly Question[] = [{ name, comparesBuilds: false, answer }];

interface Seen {
  readonly lost: number;
  readonly backSeconds: number;
  readonly requests: number;
  readonly failed: number;
}

async function answer(bench: Bench): Promise<Finding> {
  const rounds: Seen[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
    rounds.push(await look(bench));
  }
  const figure = (what: string, unit: string, read: (seen: Seen) => number) =>
    figureOf('loadout', what, unit, 'lower', rounds.map(read));
  return figuresFinding(
    name,
    [
      figure('streams of the killed process', '', ({ lost }) => lost),
      figure('until all of them were back', 's', ({ backSeconds }) => backSeconds),
      figure('ordinary requests to the other processes', '', ({ requests }) => requests),
      figure('of which failed', '', ({ failed }) => failed),
    ],
    [`${streams} streams of ${processes} delivery processes, one of them killed (SIGKILL)`],
  );
}

async function look(bench: Bench): Promise<Seen> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const stage = await StreamStage.start(build, { processes, secure: false, contents });
  const { port } = stage;
  const crew = await HeldCrew.start({ port, secure: false, key: apiKey, ids: null, streams });
  const pids = stage.deliveryPids();
  const victim = pids[0] as number;
  let requests: OrdinaryRequests | null = null;
  try {
    await crew.hold(streams, openMsMax);
    requests = await OrdinaryRequests.start(port, pids.slice(1));
    requests.run(requestsPerSecond);
    await pause(afterMs);
    const endedBefore = crew.ended;
    const killedAtMs = monotonicMs();
    process.kill(victim, 'SIGKILL');
    await crew.until('streams have ended', backMsMax, () => crew.up < streams);
    await crew.until('all streams are back', backMsMax, () => crew.up === streams);
    const backSeconds = (crew.upAtMs - killedAtMs) / 1_000;
    await pause(afterMs);
    if (crew.faults.length > 0) throw new Error(crew.faults.join('; '));
    return { lost: crew.ended - endedBefore, backSeconds, ...requests.counts };
  } finally {
    requests?.end();
    await crew.end();
    await stage.end();
  }
}
