/**
 * Question: what does an idle stream cost? The memory of one delivery process, and of the kernel, is looked at while more
 * and more streams are open: the slope is what one stream takes, whatever the process takes without.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Finding, Question } from '../bench.js';
import { apiKey } from '../data/published-game.js';
import { residentBytesOf } from '../measure/cpu-time.js';
import { kernelBytes } from '../measure/kernel-memory.js';
import { median, slopeOf } from '../measure/statistics.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { HeldCrew } from './held/held-crew.js';
import { StreamStage } from './stream-stage.js';

const counts = [5_000, 9_000, 13_000, 18_000];
const openMsMax = 300_000;
/** Memory settles when caches of the start are gone: a second after which it has changed by less than the share. */
const settledShare = 0.002;
const settledSecondsMin = 3;
const settledSecondsMax = 30;

export const idle: readonly Question[] = [false, true].map((secure) => {
  const name = `streams/idle-${secure ? 'tls' : 'plain'}`;
  return { name, comparesBuilds: false, answer: (bench) => answer(name, secure, bench) };
});

interface Seen {
  /** Bytes of each further stream. */
  readonly user: number;
  /** Of each further connection: both ends are on this machine. */
  readonly kernel: number;
  readonly first: number;
  readonly last: number;
}

async function answer(name: string, secure: boolean, bench: Bench): Promise<Finding> {
  const rounds: Seen[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    rounds.push(await look(`${name}: round ${round + 1} of ${bench.rounds}`, secure, bench));
  }
  const figure = (what: string, unit: string, read: (seen: Seen) => number) =>
    figureOf('loadout', what, unit, 'lower', rounds.map(read));
  const [first, last] = [counts[0] as number, counts.at(-1) as number];
  const figures = [
    figure('user memory per stream', 'B', ({ user }) => user),
    figure('kernel memory per connection, both ends', 'B', ({ kernel }) => kernel),
    figure(`resident with ${first} streams`, 'MiB', (seen) => seen.first / 2 ** 20),
    figure(`resident with ${last} streams`, 'MiB', (seen) => seen.last / 2 ** 20),
  ];
  const user = median(rounds.map((seen) => seen.user));
  const kernel = median(rounds.map((seen) => seen.kernel));
  const million = (bytes: number): string => `${((bytes * 1e6) / 2 ** 30).toFixed(1)} GiB`;
  const resident = median(rounds.map((seen) => seen.last)) / last;
  return figuresFinding(name, figures, [
    `30 content items of three rules each; a line through ${counts.join(', ')} streams`,
    `on paper, 1,000,000 streams: ${Math.ceil(1e6 / last)} processes of ${last} with ${million(resident)}, ${million(user)} of it for streams; ${million(kernel / 2)} of the kernel; 40,000 comments a second`,
  ]);
}

async function look(progress: string, secure: boolean, bench: Bench): Promise<Seen> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const stage = await StreamStage.start(build, { processes: 1, secure });
  const { port } = stage;
  const streams = counts.at(-1) as number;
  const crew = await HeldCrew.start({ port, secure, key: apiKey, ids: null, streams });
  try {
    const [pid = -1] = stage.deliveryPids();
    const user: [number, number][] = [];
    const kernel: [number, number][] = [];
    for (const count of counts) {
      bench.progress(`${progress}, ${count} streams`);
      await crew.hold(count, openMsMax);
      user.push([count, await settledBytes(pid)]);
      kernel.push([count, kernelBytes()]);
    }
    if (crew.faults.length > 0) throw new Error(crew.faults.join('; '));
    const [first, last] = [user[0]?.[1] ?? Number.NaN, user.at(-1)?.[1] ?? Number.NaN];
    return { user: slopeOf(user), kernel: slopeOf(kernel), first, last };
  } finally {
    await crew.end();
    await stage.end();
  }
}

/** Resident bytes of the process, once they change no more. */
async function settledBytes(pid: number): Promise<number> {
  let before = residentBytesOf(pid);
  for (let second = 1; ; second += 1) {
    await pause(1_000);
    const now = residentBytesOf(pid);
    const isSettled = Math.abs(now - before) < settledShare * before;
    if ((isSettled && second >= settledSecondsMin) || second >= settledSecondsMax) return now;
    before = now;
  }
}
