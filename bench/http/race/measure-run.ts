/** One run: a fresh server, a fresh load generator, warm-up, then the load with both processes' CPU time around it. */
import type { DeliveryMeasures } from '../../../src/published/barrier.js';
import type { Bench } from '../../bench.js';
import { stop } from '../../measure/child.js';
import { cpuTimeOf, machineBusySeconds } from '../../measure/cpu-time.js';
import type { Server } from '../contenders/contender.js';
import { startServers } from '../contenders/start.js';
import { LoadCrew } from '../load/load-crew.js';
import type { LoadPlan, LoadResult, LoadSchema, RequestPlan } from '../load/load-plan.js';
import { headersOf, type Scenario } from './scenario.js';
import type { Entrant } from './stage.js';

export interface RunFigures {
  readonly load: LoadResult;
  readonly requestsPerSecond: number;
  readonly serverMicrosPerRequest: number;
  /** Shares of one core, the mean of several processes; the server's is that of its event loops. */
  readonly eventLoopCpu: number;
  readonly serverCpu: number;
  readonly clientCpu: number;
  /** What others used of the machine meanwhile, in cores. */
  readonly othersCpu: number;
  /** Where Loadout's bodies came from; null for the others. */
  readonly bodies: Bodies | null;
}

export interface Bodies {
  readonly cached: number;
  /** Made by the front end itself. */
  readonly inline: number;
  /** Made by the pool. */
  readonly pooled: number;
  readonly documentWork: string;
}

/** A run whose answers were not all right says nothing about speed. */
export function faultOf({ load }: RunFigures): string | null {
  const others = Object.entries(load.statuses).filter(([status]) => status !== '200');
  if (load.mismatches > 0) return `${load.mismatches} answers had other bytes`;
  if (others.length > 0) return others.map(([status, n]) => `${n} answers of ${status}`).join(', ');
  if (load.errors > 0) return `${load.errors} errors`;
  return load.answers === 0 ? 'no answers' : null;
}

export async function measureRun(
  scenario: Scenario,
  entrant: Entrant,
  variants: boolean,
  { warmSeconds, seconds, listeners }: Pick<Bench, 'warmSeconds' | 'seconds' | 'listeners'>,
): Promise<RunFigures> {
  const servers = await startServers(entrant.kind, entrant.input, Math.max(1, listeners));
  // Two generators would ask for each variant twice, and the second would find it in the cache.
  const load = new LoadCrew(variants ? 1 : scenario.shape.connections);
  try {
    const kind = variants ? 'variants' : 'table';
    const requests = { kind, tablePath: entrant.input.tablePath } as const;
    await load.plan(planOf(scenario, servers[0]!.port, requests, scenario.shape));
    await load.run(warmSeconds);
    return await measured(servers, load, seconds);
  } finally {
    await load.end();
    for (const server of servers) await stop(server.child);
  }
}

/** One load, with the CPU time of both sides around it. The servers share a port, and one of them comes first. */
export async function measured(
  servers: readonly Server[],
  load: LoadCrew,
  seconds: number,
): Promise<RunFigures> {
  const [first] = servers;
  const loads = load.pids;
  const pids = [...loads, ...servers.map(({ pid }) => pid)];
  const bodiesBefore = await first?.delivery?.measure();
  const before = pids.map(cpuTimeOf);
  const busyBefore = machineBusySeconds();
  const startedAt = performance.now();
  const result = await load.run(seconds);
  const wall = (performance.now() - startedAt) / 1000;
  const busySeconds = machineBusySeconds() - busyBefore;
  const after = pids.map(cpuTimeOf);
  const bodiesAfter = await first?.delivery?.measure();
  const all = after.map((time, at) => ({
    process: time.process - before[at]!.process,
    mainThread: time.mainThread - before[at]!.mainThread,
  }));
  const clientSeconds = all.slice(0, loads.length).reduce((sum, time) => sum + time.process, 0);
  const spent = all.slice(loads.length);
  const serverSeconds = spent.reduce((sum, time) => sum + time.process, 0);
  return {
    load: result,
    requestsPerSecond: result.answers / result.seconds,
    serverMicrosPerRequest: (serverSeconds * 1e6) / result.answers,
    eventLoopCpu: spent.reduce((sum, time) => sum + time.mainThread, 0) / wall / servers.length,
    serverCpu: serverSeconds / wall,
    clientCpu: clientSeconds / wall / loads.length,
    othersCpu: Math.max(0, busySeconds - serverSeconds - clientSeconds) / wall,
    bodies: bodiesOf(bodiesBefore, bodiesAfter),
  };
}

function bodiesOf(before?: DeliveryMeasures, after?: DeliveryMeasures): Bodies | null {
  if (before === undefined || after === undefined) return null;
  return {
    cached: after.renderedHits - before.renderedHits,
    // Builds before native/ have neither of the two.
    inline: (after.renderedInline ?? 0) - (before.renderedInline ?? 0),
    pooled: after.renderedMisses - before.renderedMisses,
    documentWork: after.documentWork ?? 'typescript',
  };
}

export function planOf(
  scenario: Pick<Scenario, 'secure' | 'gzip'>,
  port: number,
  requests: RequestPlan,
  shape: LoadSchema,
): LoadPlan {
  const { secure } = scenario;
  const headers = headersOf(scenario);
  return { url: null, port, secure, headers, requests, shape, compare: 'bytes' };
}
