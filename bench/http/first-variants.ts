/**
 * Question: how long does the first caller of a variant wait, with gzip and without? Every variant is asked for once, one
 * request at a time, with and without `Accept-Encoding: gzip` in turn: of two contents, so that neither finds the other's body.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { gameContent } from '../data/game-content.js';
import { callerOfVariant, switchesOff, twelveRules, variantCount } from '../data/mappings.js';
import { type PlainCaller, type PlainContent, plainAnswer } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { LatencyHistogram } from '../measure/latency-histogram.js';
import { interleave } from '../measure/rounds.js';
import { ratioOf, spreadOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import { rangeOf } from '../report/text-table.js';
import { VariantAnswers } from './load/variant-responses.js';
import { type LoneDelivery, withDelivery } from './race/lone-delivery.js';

const name = 'http/first-variants/100kb';

export const firstVariants: readonly Question[] = [{ name, comparesBuilds: true, answer }];

/** How often one variant may be rejected with 503. */
const rejectedMax = 10;

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
      return [`${way.name} of ${build}`, spread.median, rangeOf(spread), p99, ofIdentity];
    });
  });
  const figures = [...runs].flatMap(([build, rounds]) =>
    ways.map((way) => {
      const perRound = rounds.map((each) => each[way.name].p50);
      return figureOf(`${way.name} of ${build}`, 'p50', 'ms', 'lower', perRound);
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
function round(
  build: Build,
  bench: Bench,
  ways: readonly Way[],
  warming: readonly Way[],
): Promise<Round> {
  const contents = [...ways, ...warming].map(({ content }) => content);
  return withDelivery(build, bench, contents, 1, async (delivery) => {
    for (let variant = 0; variant < variantCount; variant += 4) {
      for (const way of warming) await timed(delivery, way, variant);
    }
    for (const way of ways) await timed(delivery, way, 1);
    await pause(100);
    const seen = { identity: new LatencyHistogram(), gzip: new LatencyHistogram() };
    for (let variant = 0; variant < variantCount; variant += 1) {
      if (variant === 1) continue;
      for (const way of variant % 2 === 0 ? ways : ways.toReversed()) {
        seen[way.name].record((await timed(delivery, way, variant)) * 1000);
      }
    }
    const waits = (of: LatencyHistogram): Waits => ({
      p50: of.quantile(0.5) / 1000,
      p99: of.quantile(0.99) / 1000,
    });
    return { identity: waits(seen.identity), gzip: waits(seen.gzip) };
  });
}

/**
 * Milliseconds from the request to the last byte of its response. A 503 of a server that the machine did not run for half
 * a second (D22) has made no body: the variant is asked for again.
 * @throws when the response is another one than expected
 */
async function timed({ ask }: LoneDelivery, way: Way, variant: number): Promise<number> {
  const { id } = way.content;
  const body = JSON.stringify(callerOfVariant(variant));
  for (let rejected = 0; ; rejected += 1) {
    const startedAt = performance.now();
    const response = await ask(`/api/v1/config/${id}/dynamic`, body, way.name === 'gzip');
    const milliseconds = performance.now() - startedAt;
    if (response.status === 503 && rejected < rejectedMax) {
      await pause(100);
      continue;
    }
    if (response.text === Buffer.from(way.answers.expected(variant)).toString())
      return milliseconds;
    throw new Error(
      `${name}: variant ${variant} of ${id} has other bytes, with status ${response.status}.`,
    );
  }
}
