/** Rejects requests whose body does not arrive in time: 408, and the connection is closed. */

import { bodyMsMax } from '../limits.js';
import { problems } from '../problems.js';
import type { Exchange } from './exchange.js';

export class BodyDeadlines {
  /** In the order of their heads, so the oldest is first. */
  readonly #awaited = new Set<Exchange>();

  /** A body that did not arrive together with its head. */
  await(exchange: Exchange): void {
    this.#awaited.add(exchange);
  }

  /** The body is complete, or the exchange has ended without it. */
  settle(exchange: Exchange): void {
    this.#awaited.delete(exchange);
  }

  sweep(nowMs: number): void {
    for (const exchange of this.#awaited) {
      if (nowMs - exchange.startedAtMs < bodyMsMax) return;
      this.#awaited.delete(exchange);
      exchange.rejectAndClose(problems.bodyLate);
    }
  }
}
