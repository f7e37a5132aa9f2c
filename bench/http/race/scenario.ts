/** One HTTP measurement: what is published, what is asked for, and who answers. */
import type { Bench } from '../../bench.js';
import type { PlainContent } from '../../data/plain-response.js';
import { apiKey } from '../../data/published-game.js';
import type { LoadSchema } from '../load/load-plan.js';

export interface ExpectedRequest {
  readonly path: string;
  readonly body: string;
  /** The answer's JSON, from the oracle (data/plain-response.ts). */
  readonly expected: string;
}

export interface PreparedScenario {
  readonly contents: readonly PlainContent[];
  /** At least one. Every contender is held to them before it is measured. */
  readonly requests: readonly ExpectedRequest[];
  /** True: the load is the 4,096 variants of the first request's content; the requests are samples of them. */
  readonly variants: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly shape: LoadSchema;
  readonly gzip: boolean;
  readonly secure: boolean;
  /** Called when the question is asked: making megabytes of content has no place at start-up. */
  readonly prepare: (bench: Bench) => PreparedScenario;
}

export const plainDefaults = {
  shape: { kind: 'closed', connections: 50 },
  gzip: false,
  secure: false,
} as const satisfies Partial<Scenario>;

export function headersOf(scenario: Pick<Scenario, 'gzip'>): Record<string, string> {
  const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' };
  return scenario.gzip ? { ...headers, 'Accept-Encoding': 'gzip' } : headers;
}
