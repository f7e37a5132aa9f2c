/** One run: a fresh server, a fresh load generator, warm-up, then the load with both processes' CPU time around it. */
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { DeliveryMeasures } from '../../src/published/barrier.js';
import type { Bench } from '../bench.js';
import { clientCore, heard, startNode, stop } from '../measure/child.js';
import { cpuTimeOf, machineBusySeconds } from '../measure/cpu-time.js';
import type { Server } from './contenders/contender.js';
import { startServer } from './contenders/start.js';
import type {
  FromLoad,
  LoadPlan,
  LoadResult,
  LoadShape,
  RequestPlan,
  ToLoad,
} from './load/load-plan.js';
import { headersOf, type Scenario } from './scenario.js';
import type { Entrant } from './stage.js';

export interface RunFigures {
  readonly load: LoadResult;
  readonly requestsPerSecond: number;
  readonly serverMicrosPerRequest: number;
  /** Shares of one core; the server's is that of its event loop, the pool has its own. */
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
  { warmSeconds, seconds }: Pick<Bench, 'warmSeconds' | 'seconds'>,
): Promise<RunFigures> {
  const server = await startServer(entrant.kind, entrant.input);
  const load = new LoadProcess();
  try {
    const kind = variants ? 'variants' : 'table';
    const requests = { kind, tablePath: entrant.input.tablePath } as const;
    await load.plan(planOf(scenario, server.port, requests, scenario.shape));
    await load.run(warmSeconds);
    return await measured([server], load, seconds);
  } finally {
    await load.end();
    await stop(server.child);
  }
}

/** One load, with the CPU time of both sides around it. The servers share a port, and one of them comes first. */
export async function measured(
  servers: readonly Server[],
  load: LoadProcess,
  seconds: number,
): Promise<RunFigures> {
  const [first] = servers;
  const pids = servers.map(({ pid }) => pid);
  const bodiesBefore = await first?.delivery?.measure();
  const before = [load.pid, ...pids].map(cpuTimeOf);
  const busyBefore = machineBusySeconds();
  const startedAt = performance.now();
  const result = await load.run(seconds);
  const wall = (performance.now() - startedAt) / 1000;
  const busySeconds = machineBusySeconds() - busyBefore;
  const after = [load.pid, ...pids].map(cpuTimeOf);
  const bodiesAfter = await first?.delivery?.measure();
  const [client, ...spent] = after.map((time, at) => ({
    process: time.process - before[at]!.process,
    mainThread: time.mainThread - before[at]!.mainThread,
  }));
  const serverSeconds = spent.reduce((sum, time) => sum + time.process, 0);
  return {
    load: result,
    requestsPerSecond: result.answers / result.seconds,
    serverMicrosPerRequest: (serverSeconds * 1e6) / result.answers,
    eventLoopCpu: spent.reduce((sum, time) => sum + time.mainThread, 0) / wall,
    serverCpu: serverSeconds / wall,
    clientCpu: client!.process / wall,
    othersCpu: Math.max(0, busySeconds - serverSeconds - client!.process) / wall,
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
  shape: LoadShape,
): LoadPlan {
  return { port, secure: scenario.secure, headers: headersOf(scenario), requests, shape };
}

/** The load generator as its parent sees it. */
export class LoadProcess {
  readonly #child: ChildProcess;

  constructor() {
    const script = resolve(import.meta.dirname, 'load/load-process.js');
    this.#child = startNode(script, [], { core: clientCore });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async plan(plan: LoadPlan): Promise<void> {
    this.#tell({ type: 'plan', plan });
    await this.#hear(30_000, (message) => (message.type === 'ready' ? true : undefined));
  }

  run(seconds: number): Promise<LoadResult> {
    this.#tell({ type: 'load', seconds });
    return this.#hear((seconds + 30) * 1000, (message) =>
      message.type === 'loaded' ? message.result : undefined,
    );
  }

  end(): Promise<void> {
    return stop(this.#child);
  }

  #tell(message: ToLoad): void {
    this.#child.send(message);
  }

  #hear<T>(msMax: number, pick: (message: FromLoad) => T | undefined): Promise<T> {
    return heard(this.#child, msMax, (message) => pick(message as FromLoad));
  }
}
