/**
 * Questions that a deployed server can be asked (`--url`). Its contents are not the corpus, so there is no oracle: each
 * response must have status 200, be valid, and be as long as the one that was looked at before the load. A round with
 * another length is repeated a few times, and the finding says so.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Cell, Finding, Question } from '../bench.js';
import { deployedNames } from '../catalogue.mjs';
import { player } from '../data/mappings.js';
import type { Deployed } from '../deployed-options.mjs';
import { cpuTimeOf } from '../measure/cpu-time.js';
import { mergedHistogram } from '../measure/latency-histogram.js';
import { spreadOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import { rangeOf } from '../report/text-table.js';
import { LoadCrew } from './load/load-crew.js';
import type { LoadResult } from './load/load-plan.js';
import { type TableEntry, writeResponseTable } from './load/response-table.js';
import { askOnce, type WireResponse } from './race/ask-once.js';

const connectionsDefault = 50;
/** A server of several processes compresses a variant with each one's second request (D66). */
const looksMax = 10;
const roundsTried = 4;

const columns = [
  'contender',
  'requests/s',
  'min-max',
  'MB/s',
  'bytes',
  'p50 ms',
  'p99 ms',
  'client CPU',
  '',
];

interface Run {
  readonly load: LoadResult;
  readonly clientCpu: number;
  /** Responses of another length in rounds that this one was measured instead of. */
  readonly repeatedFor: number;
}

export function deployedQuestions(deployed: Deployed): readonly Question[] {
  return deployedNames.map((name) => ({
    name,
    comparesBuilds: false,
    answer: (bench) => answer(name, deployed, bench),
  }));
}

async function answer(name: string, deployed: Deployed, bench: Bench): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.on('exit', remove);
  const connections = bench.connections > 0 ? bench.connections : connectionsDefault;
  const { rounds, warmSeconds, seconds } = bench;
  const load = new LoadCrew(connections);
  try {
    const { origin, pathname } = new URL(deployed.url);
    const headers = headersOf(name, deployed.key);
    const entries = await look(name, deployed, headers, origin, pathname.replace(/\/$/, ''));
    const tablePath = join(folder, 'responses');
    writeResponseTable(tablePath, entries);
    console.log(
      `${name}: loads ${deployed.url} with ${connections} connections for ${rounds} x (${warmSeconds} + ${seconds}) s`,
    );
    await load.plan({
      url: origin,
      port: 0,
      secure: origin.startsWith('https:'),
      headers,
      requests: { kind: 'table', tablePath },
      shape: { kind: 'closed', connections },
      compare: 'length',
    });
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bench.progress(`${name}: round ${round + 1} of ${rounds}`);
      runs.push(await settledRound(load, warmSeconds, seconds));
    }
    return findingOf(name, deployed.url, entries, runs);
  } finally {
    await load.end();
    process.off('exit', remove);
    remove();
  }
}

/**
 * A round in which all responses had their length, or the last of `roundsTried`. The first response of each delivery process
 * to a variant is not compressed (D66), and on a busy machine a process may send it after the warm-up. The finding says
 * which rounds were repeated, so that a server that now and then sends another length does not go unseen.
 */
async function settledRound(load: LoadCrew, warmSeconds: number, seconds: number): Promise<Run> {
  let repeatedFor = 0;
  for (let times = 1; ; times += 1) {
    await load.run(warmSeconds);
    const run = await measured(load, seconds);
    const { mismatches } = run.load;
    if (mismatches === 0 || times === roundsTried) return { ...run, repeatedFor };
    repeatedFor += mismatches;
  }
}

async function measured(load: LoadCrew, seconds: number): Promise<Omit<Run, 'repeatedFor'>> {
  const spent = (): number => load.pids.reduce((sum, pid) => sum + cpuTimeOf(pid).process, 0);
  const before = spent();
  const result = await load.run(seconds);
  const clientCpu = (spent() - before) / result.seconds / load.pids.length;
  return { load: result, clientCpu };
}

function headersOf(name: string, key: string): Record<string, string> {
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  return name.endsWith('/gzip') ? { ...headers, 'Accept-Encoding': 'gzip' } : headers;
}

/** Asks for each thing until two responses in a row have one length; they become the table that the load compares with. */
async function look(
  name: string,
  { contents, context }: Deployed,
  headers: Readonly<Record<string, string>>,
  origin: string,
  prefix: string,
): Promise<TableEntry[]> {
  const body = context ?? JSON.stringify(player);
  const isCombine = name.startsWith('http/combine/');
  const paths = isCombine ? [combinePath(contents)] : contents.map((id) => onePath(name, id));
  const entries: TableEntry[] = [];
  for (const path of paths) {
    const whole = `${prefix}${path}`;
    let before = -1;
    for (let times = 1; ; times += 1) {
      const response = await askOnce(`${origin}${whole}`, headers, body, { verified: true });
      const fault = problemOf(response, isCombine ? contents : null, name);
      if (fault !== null) throw new Error(`${name}: ${origin}${whole} ${fault}`);
      if (response.bytes.byteLength === before) {
        entries.push({ path: whole, body, response: response.bytes });
        break;
      }
      if (times === looksMax) throw new Error(`${name}: ${whole} is of another length every time.`);
      before = response.bytes.byteLength;
    }
  }
  return entries;
}

function onePath(name: string, id: string): string {
  const path = `/api/v1/config/${encodeURIComponent(id)}`;
  if (name.endsWith('/plain')) return path;
  return name.endsWith('/serialized')
    ? `${path}/dynamic?responseType=serialized`
    : `${path}/dynamic`;
}

function combinePath(ids: readonly string[]): string {
  return `/api/v1/combine/?c=${encodeURIComponent(JSON.stringify(ids))}&dynamic=true`;
}

/** What is wrong with a response, or null. */
function problemOf(
  { status, text }: WireResponse,
  combined: readonly string[] | null,
  name: string,
): string | null {
  if (status !== 200) return `responds with status ${status}: ${text.slice(0, 200)}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'responds with what is not JSON.';
  }
  if (combined === null) {
    return name.endsWith('/plain') || isWrapped(value) ? null : 'responds without data and meta.';
  }
  const entries = value as Record<string, unknown>;
  const missing = combined.find((id) => !isWrapped(entries[id]));
  return missing === undefined ? null : `has no content ${missing}.`;
}

function isWrapped(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'data' in value && 'meta' in value;
}

function findingOf(
  question: string,
  contender: string,
  entries: readonly TableEntry[],
  runs: readonly Run[],
): Finding {
  const bytes =
    entries.reduce((sum, { response }) => sum + response.byteLength, 0) / entries.length;
  const rates = runs.map(({ load }) => load.responses / load.seconds);
  const rate = spreadOf(rates);
  const latencies = mergedHistogram(runs.map(({ load }) => load.latencies));
  const client = spreadOf(runs.map(({ clientCpu }) => clientCpu)).median;
  const problems = runs.flatMap(({ load }) => problemsOf(load));
  const row: Cell[] = [
    contender,
    rate.median,
    rangeOf(rate),
    (rate.median * bytes) / 1e6,
    bytes,
    latencies.quantile(0.5) / 1000,
    latencies.quantile(0.99) / 1000,
    Number.isFinite(client) ? `${Math.round(client * 100)} %` : '-',
    client > 0.9 ? 'client-bound' : '',
  ];
  const isResult = problems.length === 0;
  const repeated = runs.filter(({ repeatedFor }) => repeatedFor > 0);
  const others = repeated.reduce((sum, { repeatedFor }) => sum + repeatedFor, 0);
  const figure = figureOf(contender, 'rate', '1/s', 'higher', rates);
  const figures = isResult ? [{ ...figure, latencies: latencies.counts() }] : [];
  return {
    question,
    columns,
    rows: isResult ? [row] : [[contender, ...columns.slice(2).map(() => '-'), 'NO RESULT']],
    notes: [
      ...problems,
      ...(others > 0
        ? [`${repeated.length} of the rounds repeated, for ${others} responses of another length`]
        : []),
      'status and length of each response compared, not its bytes',
    ],
    figures,
  };
}

function problemsOf({ statuses, mismatches, errors, responses }: LoadResult): string[] {
  const others = Object.entries(statuses).filter(([status]) => status !== '200');
  return [
    ...others.map(([status, count]) => `${count} responses of ${status}`),
    ...(mismatches > 0 ? [`${mismatches} responses had another length`] : []),
    ...(errors > 0 ? [`${errors} errors`] : []),
    ...(responses === 0 ? ['no responses'] : []),
  ];
}
