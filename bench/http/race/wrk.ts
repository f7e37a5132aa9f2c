/** A second opinion from wrk, which can saturate servers that autocannon cannot. It compares no answers. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Bench, Figure } from '../../bench.js';
import { loadCores, startTool, stop } from '../../measure/child.js';
import { type CpuTime, cpuTimeOf } from '../../measure/cpu-time.js';
import { interleave } from '../../measure/rounds.js';
import { ratioOf, spreadOf } from '../../measure/statistics.js';
import { figureOf } from '../../report/figures.js';
import { short } from '../../report/text-table.js';
import { startServers } from '../contenders/start.js';
import { readAnswerTable } from '../load/response-table.js';
import { headersOf, type PreparedScenario, type Scenario } from './scenario.js';
import type { Entrant } from './stage.js';

interface WrkFigures {
  readonly perSecond: number;
  readonly microsPerRequest: number;
  readonly loopCpu: number;
}

export interface CrossCheck {
  readonly notes: readonly string[];
  readonly figures: readonly Figure[];
}

/** A line per contender. wrk sends one request over and over, so it has no part in scenarios of several. */
export async function crossCheck(
  scenario: Scenario,
  entrants: readonly Entrant[],
  { requests, variants }: PreparedScenario,
  bench: Bench,
): Promise<CrossCheck> {
  if (variants || requests.length > 1) {
    return { notes: ['wrk asks for one thing only: not cross-checked'], figures: [] };
  }
  if (!hasWrk()) return { notes: ['wrk is not installed: not cross-checked'], figures: [] };
  const runs = await interleave(entrants, bench, `${scenario.name} with wrk`, (entrant) =>
    measure(scenario, entrant, bench),
  );
  const floor = runs.get('floor');
  return {
    notes: [...runs].map(([name, all]) => noteOf(name, all, floor)),
    figures: [...runs].flatMap(([name, all]) => figuresOf(name, all)),
  };
}

function noteOf(
  name: string,
  all: readonly WrkFigures[],
  floor: readonly WrkFigures[] | undefined,
): string {
  const rates = all.map((run) => run.perSecond);
  const micros = all.map((run) => run.microsPerRequest);
  const parts = [`wrk: ${name} ${spread(rates)} requests/s`, `${spread(micros)} µs/req`];
  if (floor !== undefined && name !== 'floor') {
    const ratio = ratioOf(
      rates,
      floor.map((run) => run.perSecond),
    );
    const cpu = ratioOf(
      floor.map((run) => run.microsPerRequest),
      micros,
    );
    parts.push(`${short(ratio.median)} of floor (${short(ratio.min)}-${short(ratio.max)})`);
    parts.push(`CPU ${short(cpu.median)} of floor`);
  }
  parts.push(`loop CPU ${Math.round(spreadOf(all.map((run) => run.loopCpu)).median * 100)} %`);
  return parts.join(', ');
}

function spread(values: readonly number[]): string {
  const { median, min, max } = spreadOf(values);
  return `${short(median)} (${short(min)}-${short(max)})`;
}

function figuresOf(contender: string, all: readonly WrkFigures[]): Figure[] {
  const rates = all.map((run) => run.perSecond);
  const micros = all.map((run) => run.microsPerRequest);
  return [
    figureOf(contender, 'rate with wrk', '1/s', 'higher', rates),
    figureOf(contender, 'server CPU with wrk', 'µs/request', 'lower', micros),
  ];
}

function hasWrk(): boolean {
  try {
    execFileSync('which', ['wrk'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function measure(scenario: Scenario, entrant: Entrant, bench: Bench): Promise<WrkFigures> {
  const servers = await startServers(entrant.kind, entrant.input, Math.max(1, bench.listeners));
  try {
    const [request] = readAnswerTable(entrant.input.tablePath);
    const script = `${entrant.input.tablePath}.lua`;
    writeFileSync(script, luaOf(headersOf(scenario), request!.body));
    const scheme = scenario.secure ? 'https' : 'http';
    const url = `${scheme}://127.0.0.1:${servers[0]!.port}${request!.path}`;
    await runWrk(scenario, script, url, bench.warmSeconds);
    const before = servers.map(({ pid }) => cpuTimeOf(pid));
    const { answers, seconds } = await runWrk(scenario, script, url, bench.seconds);
    const spent = (of: keyof CpuTime): number =>
      servers.reduce((sum, { pid }, at) => sum + cpuTimeOf(pid)[of] - before[at]![of], 0);
    return {
      perSecond: answers / seconds,
      microsPerRequest: (spent('process') * 1e6) / answers,
      loopCpu: spent('mainThread') / seconds / servers.length,
    };
  } finally {
    for (const server of servers) await stop(server.child);
  }
}

function luaOf(headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers["${name}"] = "${value}"`,
  );
  const summary = 'io.write(string.format("RESULT %d %d %d\\n", s.requests, s.duration, errors))';
  return [
    'wrk.method = "POST"',
    `wrk.body = [==[${body}]==]`,
    ...lines,
    'done = function(s)',
    '  local e = s.errors',
    '  local errors = e.connect + e.read + e.write + e.status + e.timeout',
    `  ${summary}`,
    'end',
  ].join('\n');
}

async function runWrk(
  { name, shape }: Pick<Scenario, 'name' | 'shape'>,
  script: string,
  url: string,
  seconds: number,
) {
  const whole = Math.max(1, Math.round(seconds));
  // A stall of the machine is no error: it tells in the rate.
  const threads = String(Math.min(loadCores().length, shape.connections));
  const load = ['-t', threads, '-c', String(shape.connections), '-d', `${whole}s`];
  const options = [...load, '--timeout', '10s', '-s', script];
  const child = startTool(['wrk', ...options, url]);
  const timer = setTimeout(() => void stop(child), (whole + 20) * 1000);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  const [, answers, micros, errors] = /RESULT (\d+) (\d+) (\d+)/.exec(output) ?? [];
  if (answers === undefined || errors !== '0') {
    throw new Error(`wrk has no result for ${name} (${errors ?? 'no'} errors).`);
  }
  return { answers: Number(answers), seconds: Number(micros) / 1e6 };
}
