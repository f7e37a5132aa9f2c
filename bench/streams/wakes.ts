/**
 * Question: what do ordinary clients notice while edits wake one stream in a hundred? They ask for 30 % of what the server
 * can handle, beside edits of it and beside the same edits of a second, idle server with as many streams: what the edits and
 * the streams' own clients cost the machine is on both sides.
 */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Finding, Question } from '../bench.js';
import { player } from '../data/mappings.js';
import { apiKey } from '../data/published-game.js';
import { LoadProcess } from '../http/load/load-client.js';
import type { LoadResult } from '../http/load/load-plan.js';
import { writeResponseTable } from '../http/load/response-table.js';
import { askOnce } from '../http/race/ask-once.js';
import { planOf } from '../http/race/measure-run.js';
import { headersOf, plainDefaults } from '../http/race/scenario.js';
import { mergedHistogram } from '../measure/latency-histogram.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { HeldCrew } from './held/held-crew.js';
import { monotonicMs } from './held/held-plan.js';
import { cohortOf } from './held/held-players.js';
import { offers, StreamStage } from './stream-stage.js';

const name = 'streams/wakes-beside-requests';
const streams = 18_000;
const concerned = 7;
const contents = 3;
const openMsMax = 300_000;
const wokenMsMax = 10_000;
const ordinaryShare = 0.3;
/** Of the closed load that finds the peak. */
const connections = 64;
/**
 * The load generator shares its core with the clients of the streams. What is due while it has no turn is sent at once afterwards:
 * the paced load has a connection for each request of so long a time, so that none is left unsent for want of a free one.
 */
const generatorStallMs = 100;
/** Descriptors that the server has beside those of the streams. */
const pacedConnectionsMax = 1_500;
const secondsMin = 10;
const editEveryMs = 1_000;

export const wakes: readonly Question[] = [{ name, comparesBuilds: false, answer }];

interface Watched {
  readonly stage: StreamStage;
  readonly crew: HeldCrew;
}

/** One edit: milliseconds from its start, and from its acknowledgement, until the last stream has it. */
interface Told {
  readonly fromStartMs: number;
  readonly fromServedMs: number;
  readonly rightly: number;
  readonly wrongly: number;
}

interface Round {
  readonly perSecond: number;
  readonly beside: LoadResult;
  readonly edited: LoadResult;
  readonly told: readonly Told[];
}

async function answer(bench: Bench): Promise<Finding> {
  bench.progress(`${name}: opening ${2 * streams} streams`);
  const target = await watch(bench);
  const idle = await watch(bench);
  const load = new LoadProcess();
  const rounds: Round[] = [];
  try {
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
      rounds.push(await run(load, target, idle, bench));
    }
    const faults = [...target.crew.faults, ...idle.crew.faults];
    if (faults.length > 0) throw new Error(faults.join('; '));
  } finally {
    await load.end();
    for (const { crew, stage } of [target, idle]) {
      await crew.end();
      await stage.end();
    }
  }
  return findingOf(rounds);
}

async function watch(bench: Bench): Promise<Watched> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const stage = await StreamStage.start(build, { processes: 1, secure: false, contents });
  const { port } = stage;
  const crew = await HeldCrew.start({ port, secure: false, key: apiKey, ids: null, streams });
  await crew.hold(streams, openMsMax);
  return { stage, crew };
}

async function run(
  load: LoadProcess,
  target: Watched,
  idle: Watched,
  bench: Bench,
): Promise<Round> {
  const { port } = target.stage;
  const requests = { kind: 'table', tablePath: await tableOf(target.stage) } as const;
  await load.plan(planOf(plainDefaults, port, requests, { kind: 'closed', connections }));
  await load.run(bench.warmSeconds);
  const peak = await load.run(bench.seconds);
  const perSecond = Math.round((ordinaryShare * peak.responses) / peak.seconds);
  const shape = { kind: 'paced', connections: pacedConnections(perSecond), perSecond } as const;
  await load.plan(planOf(plainDefaults, port, requests, shape));
  await load.run(bench.warmSeconds);
  const seconds = Math.max(secondsMin, bench.seconds);
  const besideEdits = edits(idle, seconds);
  const beside = await load.run(seconds);
  await besideEdits;
  const editedEdits = edits(target, seconds);
  const edited = await load.run(seconds);
  return { perSecond, beside, edited, told: await editedEdits };
}

function pacedConnections(perSecond: number): number {
  const stalled = Math.ceil((generatorStallMs * perSecond) / 1_000);
  return Math.min(pacedConnectionsMax, Math.max(connections, stalled));
}

/** The response that each ordinary request must get, byte for byte. */
async function tableOf(stage: StreamStage): Promise<string> {
  const path = '/api/v1/config/game-0/dynamic';
  const body = JSON.stringify(player);
  const url = `${stage.serve.deliveryUrl}${path}`;
  const { status, bytes } = await askOnce(url, headersOf({ gzip: false }), body);
  if (status !== 200) throw new Error(`An ordinary request was answered with ${status}.`);
  const tablePath = join(stage.folder, 'requests');
  writeResponseTable(tablePath, [{ path, body, response: bytes }]);
  return tablePath;
}

/** An edit a second that changes what one player in a hundred gets. */
async function edits({ stage, crew }: Watched, seconds: number): Promise<Told[]> {
  const told: Told[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  const expected = Array.from({ length: streams }, (_, stream) => stream).filter(
    (stream) => cohortOf(stream) === concerned,
  ).length;
  while (performance.now() < endsAt) {
    crew.forgetWakes();
    const startedAtMs = monotonicMs();
    const rule = { segment: 'sale', when: { cohort: concerned }, merge: { n: startedAtMs } };
    await stage.put(offers, { mapping: [rule] });
    const servedAtMs = monotonicMs();
    const rightly = (): number =>
      crew.wakes.filter(({ stream }) => cohortOf(stream) === concerned).length;
    await crew.until('the streams are woken', wokenMsMax, () => rightly() >= expected);
    const lastAtMs = crew.wakes.reduce((last, { atMs }) => Math.max(last, atMs), 0);
    // Whoever is woken wrongly is seen until the next edit.
    await pause(Math.max(0, startedAtMs + editEveryMs - monotonicMs()));
    told.push({
      fromStartMs: lastAtMs - startedAtMs,
      fromServedMs: lastAtMs - servedAtMs,
      rightly: expected,
      wrongly: crew.wakes.length - expected,
    });
  }
  return told;
}

function findingOf(rounds: readonly Round[]): Finding {
  const p99 = ({ latencies }: LoadResult): number =>
    mergedHistogram([latencies]).quantile(0.99) / 1_000;
  const wrong = ({ mismatches, errors, responses, statuses }: LoadResult) =>
    mismatches + errors + responses - (statuses['200'] ?? 0);
  const last = (round: Round, of: (told: Told) => number): number =>
    Math.max(...round.told.map(of));
  const sum = (round: Round, of: (told: Told) => number): number =>
    round.told.reduce((all, told) => all + of(told), 0);
  const figure = (
    what: string,
    unit: string,
    read: (round: Round) => number,
    better: 'lower' | 'neither' = 'lower',
  ) => figureOf('loadout', what, unit, better, rounds.map(read));
  return figuresFinding(
    name,
    [
      figure('ordinary requests', '/s', ({ perSecond }) => perSecond, 'neither'),
      figure('p99 beside edits of an idle server', 'ms', ({ beside }) => p99(beside)),
      figure('p99 beside edits of this server', 'ms', ({ edited }) => p99(edited)),
      figure('of the former', 'ratio', ({ beside, edited }) => p99(edited) / p99(beside)),
      figure('wrong responses, and requests that failed', '', ({ edited }) => wrong(edited)),
      figure('requests that found no free connection, idle', '', ({ beside }) => beside.unsent),
      figure('the same beside edits of this server', '', ({ edited }) => edited.unsent),
      figure('streams woken', '', (round) => sum(round, ({ rightly }) => rightly), 'neither'),
      figure('streams woken wrongly', '', (round) => sum(round, ({ wrongly }) => wrongly)),
      figure('from the acknowledgement until the last stream has it, longest', 'ms', (round) =>
        last(round, ({ fromServedMs }) => fromServedMs),
      ),
      figure('from the start of the edit, longest', 'ms', (round) =>
        last(round, ({ fromStartMs }) => fromStartMs),
      ),
    ],
    [
      `${streams} streams on each of two servers, which share the servers' cores; an edit a second, each of which concerns one stream in a hundred`,
    ],
  );
}
