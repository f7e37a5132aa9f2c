/** Counts events for the metrics of a delivery process. */
import type { DeliveryMetrics } from '../../published/barrier.js';
import type { KeyPurpose } from '../../published/change.js';
import type { Refusal } from './refusals.js';
import type { TakenEvents } from './taken-events.js';

export class EventCounts {
  readonly #taken: Record<KeyPurpose, number> = { game: 0, events: 0 };
  readonly #refused = new Map<Refusal, number>();

  add({ taken, refusedCounts }: TakenEvents, purpose: KeyPurpose): void {
    this.#taken[purpose] += taken;
    for (const [refusal, count] of refusedCounts) {
      this.#refused.set(refusal, (this.#refused.get(refusal) ?? 0) + count);
    }
  }

  read(): Pick<DeliveryMetrics, 'eventsTaken' | 'eventsRefused'> {
    return {
      eventsTaken: Object.entries(this.#taken),
      eventsRefused: [...this.#refused].map(([{ reason }, count]) => [reason, count]),
    };
  }
}
