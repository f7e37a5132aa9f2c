/** A second opinion from wrk, which can saturate servers that autocannon cannot. It compares no answers. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Bench, Figure } from '../bench.js';
import { clientCore, startTool, stop } from '../measure/child.js';
import { cpuTimeOf } from '../measure/cpu-time.js';
import { interleave } from '../measure/rounds.js';
import { ratioOf, spreadOf } from '../measure/statistics.js';
import { short } from '../report/text-table.js';
import { readAnswerTable } from './answer-table.js';
import { startServer } from './contenders/start.js';
import { headersOf, type Scenario } from './scenario.js';
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

/** A line per contender; the scenario must have a single request. */
export async function crossCheck(
  scenario: Scenario,
  entrants: readonly Entrant[],
  bench: Bench,
): Promise<CrossCheck> {
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
  const rate = { contender, name: 'rate with wrk', unit: '1/s', better: 'higher' } as const;
  const cpu = {
    contender,
    name: 'server CPU with wrk',
    unit: 'µs/request',
    better: 'lower',
  } as const;
  return [
    { ...rate, perRound: rates, spread: spreadOf(rates) },
    { ...cpu, perRound: micros, spread: spreadOf(micros) },
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
  const server = await startServer(entrant.kind, entrant.input);
  try {
    const [request] = readAnswerTable(entrant.input.tablePath);
    const script = `${entrant.input.tablePath}.lua`;
    writeFileSync(script, luaOf(headersOf(scenario), request!.body));
    const scheme = scenario.secure ? 'https' : 'http';
    const url = `${scheme}://127.0.0.1:${server.port}${request!.path}`;
    await runWrk(scenario, script, url, bench.warmSeconds);
    const before = cpuTimeOf(server.pid);
    const { answers, seconds } = await runWrk(scenario, script, url, bench.seconds);
    const after = cpuTimeOf(server.pid);
    return {
      perSecond: answers / seconds,
      microsPerRequest: ((after.process - before.process) * 1e6) / answers,
      loopCpu: (after.mainThread - before.mainThread) / seconds,
    };
  } finally {
    await stop(server.child);
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

async function runWrk(scenario: Scenario, script: string, url: string, seconds: number) {
  const whole = Math.max(1, Math.round(seconds));
  const connections = String(scenario.shape.connections);
  // A stall of the machine is no error: it tells in the rate.
  const options = [
    '-t',
    '1',
    '-c',
    connections,
    '-d',
    `${whole}s`,
    '--timeout',
    '10s',
    '-s',
    script,
  ];
  const child = startTool(['wrk', ...options, url], clientCore);
  const timer = setTimeout(() => void stop(child), (whole + 20) * 1000);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  const [, answers, micros, errors] = /RESULT (\d+) (\d+) (\d+)/.exec(output) ?? [];
  if (answers === undefined || errors !== '0') {
    throw new Error(`wrk has no result for ${scenario.name} (${errors ?? 'no'} errors).`);
  }
  return { answers: Number(answers), seconds: Number(micros) / 1e6 };
}
