/**
 * Question: how long does the first caller of a variant wait, with gzip and without? Every variant is asked for once, one
 * request at a time, with and without `Accept-Encoding: gzip` in turn: of two contents, so that neither finds the other's body.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Bench, Figure, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { gameContent } from '../data/game-content.js';
import { callerOfVariant, switchesOff, twelveRules, variantCount } from '../data/mappings.js';
import { type PlainCaller, type PlainContent, plainAnswer } from '../data/plain-response.js';
import { benchContent, PublishedGame } from '../data/published-game.js';
import { stop } from '../measure/child.js';
import { LatencyHistogram } from '../measure/latency-histogram.js';
import { interleave } from '../measure/rounds.js';
import { ratioOf, spreadOf } from '../measure/statistics.js';
import { short } from '../report/text-table.js';
import { startOnServerCore } from './contenders/loadout.js';
import { VariantAnswers } from './load/variant-responses.js';
import { headersOf } from './race/scenario.js';

const name = 'http/first-variants/100kb';

export const firstVariants: readonly Question[] = [
  { name, inQuick: false, comparesBuilds: true, answer },
];

/** How often one variant may be refused with 503. */
const refusedMax = 10;

/** One of the two ways to ask, and what it asks for. */
interface Way {
  readonly name: 'identity' | 'gzip';
  readonly content: PlainContent;
  readonly answers: VariantAnswers;
}

/** Milliseconds, of one round. */
interface Waits {
  readonly p50: number;
  readonly p99: number;
}

type Round = Readonly<Record<Way['name'], Waits>>;

async function answer(bench: Bench): Promise<Finding> {
  const ways: readonly Way[] = [wayOf('identity', 21), wayOf('gzip', 22)];
  const warming: readonly Way[] = [wayOf('identity', 23), wayOf('gzip', 24)];
  const runs = await interleave(bench.builds, bench, name, (build) =>
    round(build, bench, ways, warming),
  );
  const rows = [...runs].flatMap(([build, rounds]) => {
    const p50s = (way: Way['name']) => rounds.map((each) => each[way].p50);
    const ratio = ratioOf(p50s('gzip'), p50s('identity'));
    return ways.map((way) => {
      const spread = spreadOf(p50s(way.name));
      const p99 = spreadOf(rounds.map((each) => each[way.name].p99)).median;
      const ofIdentity = way.name === 'gzip' ? ratio.median : 1;
      return [
        `${way.name} of ${build}`,
        spread.median,
        `${short(spread.min)}-${short(spread.max)}`,
        p99,
        ofIdentity,
      ];
    });
  });
  const figures = [...runs].flatMap(([build, rounds]) =>
    ways.map((way): Figure => {
      const perRound = rounds.map((each) => each[way.name].p50);
      const figure = { contender: `${way.name} of ${build}`, name: 'p50', unit: 'ms' } as const;
      return { ...figure, better: 'lower', perRound, spread: spreadOf(perRound) };
    }),
  );
  const columns = ['contender', 'p50 ms', 'min-max', 'p99 ms', 'p50 of identity'];
  const notes = [`${variantCount - 1} variants, each asked for once, one request at a time`];
  return { question: name, columns, rows, notes, figures };
}

/** Content number `number`, 100 KB, whose twelve independent rules make 4,096 bodies of it. */
function wayOf(way: Way['name'], number: number): Way {
  const value = { switches: switchesOff(), ...gameContent(number, 100 * 1024 - 256) };
  const content = benchContent(`first-${number}`, value, twelveRules);
  const caller = callerOfVariant(0) as unknown as PlainCaller;
  const answers = new VariantAnswers(Buffer.from(plainAnswer(content, caller, 'wrapped')));
  return { name: way, content, answers };
}

/** A fresh server, warmed with other contents; one variant has been asked for, so that the parsed content is at hand. */
async function round(
  build: Build,
  bench: Bench,
  ways: readonly Way[],
  warming: readonly Way[],
): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
  const publishedPath = join(folder, 'published.db');
  const game = await PublishedGame.create(build, publishedPath);
  game.put([...ways, ...warming].map(({ content }) => content));
  const server = await startOnServerCore(build, publishedPath, bench.native);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (way: Way, variant: number): Promise<number> =>
    timed(agent, server.port, way, variant);
  try {
    for (let variant = 0; variant < variantCount; variant += 4) {
      for (const way of warming) await ask(way, variant);
    }
    for (const way of ways) await ask(way, 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const seen = { identity: new LatencyHistogram(), gzip: new LatencyHistogram() };
    for (let variant = 0; variant < variantCount; variant += 1) {
      if (variant === 1) continue;
      for (const way of variant % 2 === 0 ? ways : ways.toReversed()) {
        seen[way.name].record((await ask(way, variant)) * 1000);
      }
    }
    const waits = (of: LatencyHistogram): Waits => ({
      p50: of.quantile(0.5) / 1000,
      p99: of.quantile(0.99) / 1000,
    });
    return { identity: waits(seen.identity), gzip: waits(seen.gzip) };
  } finally {
    agent.destroy();
    await stop(server.child);
    game.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Milliseconds from the request to the last byte of its response. A 503 of a server that the machine did not run for half
 * a second (D22) has made no body: the variant is asked for again.
 * @throws when the response is another one than expected
 */
async function timed(agent: Agent, port: number, way: Way, variant: number): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    const milliseconds = await timedOnce(agent, port, way, variant, refused < refusedMax);
    if (milliseconds !== null) return milliseconds;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Null: it was refused for now, and may be. */
async function timedOnce(
  agent: Agent,
  port: number,
  way: Way,
  variant: number,
  mayRefuse: boolean,
): Promise<number | null> {
  const startedAt = performance.now();
  const { status, bytes, coding } = await send(agent, port, way, variant);
  const milliseconds = performance.now() - startedAt;
  if (status === 503 && mayRefuse) return null;
  const whole = coding === 'gzip' ? gunzipSync(bytes) : bytes;
  if (!whole.equals(way.answers.expected(variant))) {
    const { id } = way.content;
    throw new Error(`${name}: variant ${variant} of ${id} has other bytes, with status ${status}.`);
  }
  return milliseconds;
}

interface Received {
  readonly status: number;
  readonly bytes: Buffer;
  /** The Content-Encoding; '' without. */
  readonly coding: string;
}

function send(agent: Agent, port: number, way: Way, variant: number): Promise<Received> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(callerOfVariant(variant));
    const headers = {
      ...headersOf({ gzip: way.name === 'gzip' }),
      'Content-Length': Buffer.byteLength(body),
    };
    const path = `/api/v1/config/${way.content.id}/dynamic`;
    const options = { agent, port, host: '127.0.0.1', method: 'POST', path, headers };
    const call = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const coding = response.headers['content-encoding'] ?? '';
        resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks), coding });
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}
