/** A second opinion from wrk, which can saturate servers that autocannon cannot. It compares no answers. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Bench } from '../bench.js';
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

/** A line per contender; the scenario must have a single request. */
export async function crossCheck(
  scenario: Scenario,
  entrants: readonly Entrant[],
  bench: Bench,
): Promise<string[]> {
  if (!hasWrk()) return ['wrk is not installed: not cross-checked'];
  const runs = await interleave(entrants, bench, `${scenario.name} with wrk`, (entrant) =>
    measure(scenario, entrant, bench),
  );
  const floor = runs.get('floor');
  return [...runs].map(([name, all]) => {
    const rates = all.map((run) => run.perSecond);
    const micros = all.map((run) => run.microsPerRequest);
    const loop = spreadOf(all.map((run) => run.loopCpu)).median;
    const rate = spreadOf(rates);
    const ofFloor =
      floor &&
      ratioOf(
        rates,
        floor.map((run) => run.perSecond),
      );
    const cpuOfFloor =
      floor &&
      ratioOf(
        floor.map((run) => run.microsPerRequest),
        micros,
      );
    const parts = [
      `wrk: ${name} ${short(rate.median)} requests/s (${short(rate.min)}-${short(rate.max)})`,
      ofFloor && `${short(ofFloor.median)} of floor (${short(ofFloor.min)}-${short(ofFloor.max)})`,
      `${short(spreadOf(micros).median)} µs/req`,
      cpuOfFloor && `CPU ${short(cpuOfFloor.median)} of floor`,
      `loop CPU ${Math.round(loop * 100)} %`,
    ];
    return parts.filter((part) => part !== undefined).join(', ');
  });
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
  const options = ['-t', '1', '-c', connections, '-d', `${whole}s`, '-s', script];
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
