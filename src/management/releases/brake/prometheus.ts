/**
 * Asks the operator's Prometheus server for the present value of a query: GET /api/v1/query
 * (https://prometheus.io/docs/prometheus/latest/querying/api/).
 */
import { readFile } from 'node:fs/promises';
import {
  prometheusMsMax,
  prometheusResponseBytesMax,
  prometheusTokenBytesMax,
} from '../../limits/releases.js';

export interface PrometheusOptions {
  /** http or https, perhaps with a path. */
  readonly url: string;
  /** A file with a bearer token, which is read for each query; null: none is sent. */
  readonly tokenFile: string | null;
}

/** The values of all samples, none of them NaN; empty where there is no sample. */
export type QueryResult = readonly number[];

export class Prometheus {
  readonly #options: PrometheusOptions;
  readonly #closed = new AbortController();

  constructor(options: PrometheusOptions) {
    this.#options = options;
  }

  /**
   * Ends within `prometheusMsMax`.
   * @throws when there is no response that can be used: an Error whose message has no secret
   */
  async query(promql: string): Promise<QueryResult> {
    const { url, tokenFile } = this.#options;
    const target = new URL('api/v1/query', url.endsWith('/') ? url : `${url}/`);
    target.searchParams.set('query', promql);
    const token = tokenFile === null ? null : await readToken(tokenFile);
    const response = await fetch(target, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      // Another address is not the operator's choice, and must not see the token.
      redirect: 'error',
      signal: AbortSignal.any([this.#closed.signal, AbortSignal.timeout(prometheusMsMax)]),
    });
    const text = await readBounded(response);
    if (response.status !== 200) throw new Error(`Prometheus responded with ${response.status}.`);
    return samplesOf(JSON.parse(text));
  }

  /** Gives up what is under way. */
  close(): void {
    this.#closed.abort();
  }
}

async function readToken(file: string): Promise<string> {
  const bytes = await readFile(file);
  if (bytes.byteLength > prometheusTokenBytesMax) throw new Error('The token file is too large.');
  return bytes.toString().trim();
}

async function readBounded({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > prometheusResponseBytesMax) throw new Error('The response is too large.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

type Sample = readonly [atSeconds: number, value: string];

function samplesOf(response: unknown): QueryResult {
  const { data } = (response ?? {}) as {
    readonly data?: { readonly resultType?: unknown; readonly result?: unknown };
  };
  if (data?.resultType === 'scalar') return numbersOf([data.result as Sample]);
  if (data?.resultType === 'vector' && Array.isArray(data.result)) {
    return numbersOf(data.result.map((one) => (one as { readonly value: Sample }).value));
  }
  throw new Error('The result is neither a scalar nor an instant vector.');
}

/** "+Inf" and "-Inf" are numbers as well; NaN is no data. */
function numbersOf(samples: readonly Sample[]): QueryResult {
  return samples
    .map(([, value]) => Number(value.replace('Inf', 'Infinity')))
    .filter((value) => !Number.isNaN(value));
}
