/**
 * Question: how long does a text search take over 100 MB of live texts, and how long does another request wait beside it? A
 * word that is nowhere goes through everything; hits are compared with how often the word was put there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Finding, Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { cpuTimeOf } from '../measure/cpu-time.js';
import { waitBeside } from '../measure/wait-beside.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { Serve } from '../serve.js';

const name = 'search/hundred-megabytes';
const contentsCount = 10_000;
const textBytes = 10_000;
/** Contents of one import: a few megabytes. */
const contentsAtOnce = 500;
/** One content in so many has the rare word. */
const rareEvery = 1_000;
const env = '/admin/v1/environments/game';

export const search: readonly Question[] = [{ name, comparesBuilds: false, answer }];

async function answer(bench: Bench): Promise<Finding> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
  const serve = await Serve.start(build, folder);
  try {
    await fill(serve, bench);
    const rounds: Seen[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
      rounds.push(await look(serve));
    }
    return findingOf(rounds);
  } finally {
    await serve.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(serve: Serve, bench: Bench): Promise<void> {
  await serve.ask('POST', '/admin/v1/environments', JSON.stringify({ id: 'game' }));
  for (let first = 0; first < contentsCount; first += contentsAtOnce) {
    bench.progress(`${name}: ${first} of ${contentsCount} contents`);
    const lines = Array.from({ length: contentsAtOnce }, (_, at) => contentLine(first + at));
    await serve.ask('POST', `${env}/import?mode=merge`, lines.join(''), 'application/x-ndjson');
  }
}

function contentLine(number: number): string {
  const content = gameContent(number, textBytes);
  const marked = number % rareEvery === 0 ? { ...content, rare: 'The Zeppelin' } : content;
  const text = JSON.stringify(marked, null, 1);
  const id = `item-${String(number).padStart(4, '0')}`;
  return `${JSON.stringify({ kind: 'content', id, lines: [{ appVersion: '0.0.0', text }] })}\n`;
}

interface Seen {
  readonly nowhereMs: number;
  readonly nowhereCpuMs: number;
  readonly rareMs: number;
  readonly everywhereMs: number;
  readonly longestWaitMs: number;
}

async function look(serve: Serve): Promise<Seen> {
  const cpuBefore = cpuTimeOf(serve.pid).process;
  const nowhere = await find(serve, 'nowhere-at-all', 0);
  const nowhereCpuMs = (cpuTimeOf(serve.pid).process - cpuBefore) * 1_000;
  const rare = await find(serve, 'zeppelin', contentsCount / rareEvery);
  const everywhere = await find(serve, 'e', 100);
  const longestWaitMs = await waitBeside(serve, find(serve, 'nowhere-at-all', 0));
  return {
    ...{ nowhereMs: nowhere, nowhereCpuMs, rareMs: rare },
    ...{ everywhereMs: everywhere, longestWaitMs },
  };
}

/** @returns milliseconds until the response was there */
async function find(serve: Serve, query: string, hitsExpected: number): Promise<number> {
  const began = performance.now();
  const { hits, timedOut } = JSON.parse(await serve.get(`${env}/search?q=${query}`));
  const tookMs = performance.now() - began;
  if (hits.length !== hitsExpected || timedOut) {
    throw new Error(`${hits.length} hits of "${query}" instead of ${hitsExpected}.`);
  }
  return tookMs;
}

function findingOf(rounds: readonly Seen[]): Finding {
  const figure = (what: string, of: (seen: Seen) => number) =>
    figureOf('loadout', what, 'ms', 'lower', rounds.map(of));
  const figures = [
    figure('a word that is nowhere', ({ nowhereMs }) => nowhereMs),
    figure('its CPU, all threads of the control process', ({ nowhereCpuMs }) => nowhereCpuMs),
    figure('a word that ten contents have', ({ rareMs }) => rareMs),
    figure('the first 100 hits of a letter', ({ everywhereMs }) => everywhereMs),
    figure('the longest wait of another request beside it', ({ longestWaitMs }) => longestWaitMs),
  ];
  return figuresFinding(name, figures, ['the client on the cores that the server uses too']);
}
