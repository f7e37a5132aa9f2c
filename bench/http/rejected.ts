/**
 * Question: what does a rejected request cost, beside one that is not? CPU time of the main thread over a thousand requests on
 * kept connections: the reasons are counted (decision D105), also when each request names another id or another key.
 */
import { Agent } from 'node:http';
import type { Bench, Cell, Figure, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { gameContent } from '../data/game-content.js';
import { player, threeRules } from '../data/mappings.js';
import { benchContent } from '../data/published-game.js';
import { mainThreadMs } from '../measure/main-thread.js';
import { figureOf } from '../report/figures.js';
import { askOnce } from './race/ask-once.js';
import { type LoneDelivery, withDelivery } from './race/lone-delivery.js';
import { headersOf } from './race/scenario.js';

const name = 'http/rejected';
const requestsPerRound = 1_000;
const connections = 8;
/** Rounds of which nothing counts: the code is compiled by then. */
const warmRounds = 2;

export const rejected: readonly Question[] = [{ name, comparesBuilds: true, answer }];

interface Case {
  readonly name: string;
  readonly status: number;
  readonly request: (number: number) => {
    readonly id: string;
    readonly key?: string;
    readonly body?: string;
  };
}

const served = JSON.stringify(player);
const cases: readonly Case[] = [
  { name: 'served, 1 KB', status: 200, request: () => ({ id: 'game' }) },
  { name: 'one unknown id', status: 404, request: () => ({ id: 'missing' }) },
  { name: 'another unknown id each', status: 404, request: (at) => ({ id: `missing-${at}` }) },
  { name: 'one unknown key', status: 401, request: () => ({ id: 'game', key: 'lo_unknown' }) },
  {
    name: 'another unknown key each',
    status: 401,
    request: (at) => ({ id: 'game', key: `lo_unknown-${at}` }),
  },
  { name: 'a body that is no JSON', status: 400, request: () => ({ id: 'game', body: '{' }) },
];

async function answer(bench: Bench): Promise<Finding> {
  const contents = [benchContent('game', gameContent(1, 1024), threeRules)];
  const times = await besideEachOther(bench, contents);
  const figures: Figure[] = [];
  const rows = cases.map((one): Cell[] => {
    const row: Cell[] = [one.name];
    for (const build of bench.builds) {
      const figure = figureOf(build.name, one.name, 'µs', 'lower', times(build, one));
      figures.push(figure);
      row.push(figure.spread.median, figure.spread.min, figure.spread.max);
    }
    return row;
  });
  const columns = [
    'request',
    ...bench.builds.flatMap(({ name: of }) => [`${of} µs`, 'min', 'max']),
  ];
  const notes = [`CPU of the main thread for one request, over ${requestsPerRound} in each round`];
  return { question: name, columns, rows, notes, figures };
}

type Times = (build: Build, one: Case) => readonly number[];

/** Builds take turns within each round, so that what else the machine does meets all of them. */
async function besideEachOther(
  bench: Bench,
  contents: Parameters<typeof withDelivery>[2],
): Promise<Times> {
  const times = new Map(bench.builds.map((build) => [build, new Map<Case, number[]>()]));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const rounds = async (servers: readonly LoneDelivery[]): Promise<void> => {
    for (let round = -warmRounds; round < bench.rounds; round += 1) {
      bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
      for (const one of cases) {
        for (const [at, build] of bench.builds.entries()) {
          const micros = await ask(servers[at]!, one, agent, round);
          const known = times.get(build)!;
          if (round >= 0) known.set(one, [...(known.get(one) ?? []), micros]);
        }
      }
    }
  };
  const start = async (servers: readonly LoneDelivery[]): Promise<void> => {
    const build = bench.builds[servers.length];
    if (build === undefined) return rounds(servers);
    await withDelivery(build, bench, contents, connections, (server) =>
      start([...servers, server]),
    );
  };
  try {
    await start([]);
  } finally {
    agent.destroy();
  }
  return (build, one) => times.get(build)?.get(one) ?? [];
}

/** @returns CPU microseconds of the main thread for one request */
async function ask(
  { server }: LoneDelivery,
  { request, status }: Case,
  agent: Agent,
  round: number,
): Promise<number> {
  let sent = 0;
  const origin = `http://127.0.0.1:${server.port}`;
  const before = mainThreadMs(server.pid);
  const work = async (): Promise<void> => {
    while (sent < requestsPerRound) {
      const { id, key, body = served } = request(round * requestsPerRound + sent);
      sent += 1;
      const headers = headersOf({ gzip: false });
      const keyed = key === undefined ? headers : { ...headers, 'X-Api-Key': key };
      const response = await askOnce(`${origin}/api/v1/config/${id}`, keyed, body, { agent });
      if (response.status !== status) throw new Error(`status ${response.status} for ${id}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return ((mainThreadMs(server.pid) - before) * 1_000) / requestsPerRound;
}
