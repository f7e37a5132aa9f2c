/**
 * A uniform sample of the user contexts that requests of one environment carried since the last report, for environments
 * that keep one. Ids become pseudonyms that this process alone could make again, and forgets when it ends; what could say who
 * a player is, is left out (D111).
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { KeptContext, SampledContexts } from '../../published/traffic.js';
import { keptContextBytesMax, sampledContextsPerReportMax } from '../limits.js';
import { keptAttributes } from './kept-attributes.js';

/** Of this process; never logged, written or sent. */
const pseudonymKey = randomBytes(32);
const pseudonymChars = 16;

interface Sampled extends KeptContext {
  /** Sorts the sample: each request's is drawn so that those with the smallest ones are a uniform sample. */
  readonly rank: number;
}

export class ContextSample {
  readonly #random: () => number;
  readonly #sizeMax: number;
  #sampled: Sampled[] = [];
  /** Nothing above it can be among the smallest. */
  #rankMax = Number.POSITIVE_INFINITY;
  #requests = 0;

  /** @param random from 0 to below 1 */
  constructor(random: () => number = Math.random, sizeMax: number = sampledContextsPerReportMax) {
    this.#random = random;
    this.#sizeMax = sizeMax;
  }

  /**
   * Efraimidis and Spirakis, "Weighted random sampling with a reservoir", Information Processing Letters 97 (2006).
   * @param requests how many requests the looked-at one stands for
   */
  add(caller: EvaluationContext, requests: number): void {
    this.#requests += requests;
    const rank = -Math.log(1 - this.#random()) / requests;
    if (rank >= this.#rankMax) return;
    this.#sampled.push({ ...keptContext(caller), rank });
    if (this.#sampled.length >= 2 * this.#sizeMax) this.#cut();
  }

  /** Null: there were no requests. */
  take(): SampledContexts | null {
    if (this.#requests === 0) return null;
    this.#cut();
    const contexts = this.#sampled.map(({ json, isReduced }) => ({ json, isReduced }));
    const requests = this.#requests;
    this.#sampled = [];
    this.#rankMax = Number.POSITIVE_INFINITY;
    this.#requests = 0;
    return { requests, contexts };
  }

  #cut(): void {
    if (this.#sampled.length <= this.#sizeMax) return;
    this.#sampled.sort((a, b) => a.rank - b.rank);
    this.#sampled.length = this.#sizeMax;
    this.#rankMax = this.#sampled.at(-1)?.rank ?? this.#rankMax;
  }
}

/** The context as it may be kept. */
export function keptContext({ u, p, v }: EvaluationContext): KeptContext {
  const id = u === '' ? '' : pseudonymOf(u);
  const about = v === '' ? '' : `,"v":${JSON.stringify(v)}`;
  const { json, isReduced } = keptAttributes(p, keptContextBytesMax - id.length - about.length);
  return { json: `{"u":${JSON.stringify(id)},"p":${json}${about}}`, isReduced };
}

function pseudonymOf(u: string): string {
  return createHmac('sha256', pseudonymKey).update(u).digest('hex').slice(0, pseudonymChars);
}
