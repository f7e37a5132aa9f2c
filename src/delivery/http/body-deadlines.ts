/** Rejects requests whose body does not arrive in time: 408, and the connection is closed. */

import { bodyBytesMaxDefault, bodyBytesPerSecondMin, bodyMsMax } from '../limits.js';
import { problems } from '../problems.js';
import type { CollectedBody } from './collected-bodies.js';
import type { Exchange } from './exchange.js';

export class BodyDeadlines {
  /** In the order of their heads; null: a body that is not kept. */
  readonly #awaited = new Map<Exchange, CollectedBody | null>();

  /** A body that did not arrive together with its head. */
  await(exchange: Exchange, body: CollectedBody | null = null): void {
    this.#awaited.set(exchange, body);
  }

  /** The body is complete, or the exchange has ended without it. */
  settle(exchange: Exchange): void {
    const body = this.#awaited.get(exchange);
    if (body === undefined) return;
    this.#awaited.delete(exchange);
    body?.release();
  }

  sweep(nowMs: number): void {
    for (const [exchange, body] of this.#awaited) {
      if (nowMs - exchange.startedAtMs < bodyMsFor(body?.length ?? 0)) continue;
      this.settle(exchange);
      exchange.rejectAndClose(problems.bodyLate);
    }
  }
}

/**
 * How long a body may have been arriving, milliseconds after its head.
 * @param bytes how much of it has arrived: what is longer than an ordinary body gets the time that the least rate takes
 */
export function bodyMsFor(bytes: number): number {
  const more = Math.max(0, bytes - bodyBytesMaxDefault);
  return bodyMsMax + (1_000 * more) / bodyBytesPerSecondMin;
}
