/**
 * The budgets of the admin API's bodies: one for the sizes that every route takes, one for the large ones, so that an
 * ordinary edit never waits behind large saves. The smallest need no room: they are bounded by the connections.
 */
import {
  bodyBytesFree,
  bodyBytesMax,
  bodyWaitersMax,
  bodyWaitMsMax,
  largeBodiesBytesMax,
  ordinaryBodiesBytesMax,
} from '../../limits/bodies.js';
import { type Gauge, type Metric, metric, sample } from '../../metrics/definition.js';
import { BodyBudget, type BodyShare } from './body-budget.js';

const bodiesWaiting = metric({
  name: 'loadout_admin_bodies_waiting',
  help: 'Requests of the admin API whose body waits for memory, by its size.',
  labels: ['size'],
  note: '`ordinary` up to 2 MiB, `large` beyond.',
});
const bodiesHeld = metric({
  name: 'loadout_admin_bodies_held_bytes',
  help: 'Memory that bodies of the admin API have reserved, by their size.',
  labels: ['size'],
});

export const bodyMetrics: readonly Metric[] = [bodiesWaiting, bodiesHeld];

/** Sizes in bytes; what is left out is as in limits.ts. */
export interface BodyBudgetsOptions {
  /** Bodies up to this take no share. */
  readonly freeBytes?: number;
  /** Bodies up to this are ordinary. */
  readonly ordinaryBytes?: number;
  readonly ordinaryBytesMax?: number;
  readonly largeBytesMax?: number;
  readonly waitersMax?: number;
  readonly waitMsMax?: number;
}

export class BodyBudgets {
  readonly freeBytes: number;
  readonly ordinary: BodyBudget;
  readonly large: BodyBudget;
  readonly #ordinaryBytes: number;

  constructor(options: BodyBudgetsOptions = {}) {
    const { waitersMax = bodyWaitersMax, waitMsMax = bodyWaitMsMax } = options;
    const { ordinaryBytesMax = ordinaryBodiesBytesMax, largeBytesMax = largeBodiesBytesMax } =
      options;
    this.freeBytes = options.freeBytes ?? bodyBytesFree;
    this.#ordinaryBytes = options.ordinaryBytes ?? bodyBytesMax;
    this.ordinary = new BodyBudget({ bytesMax: ordinaryBytesMax, waitersMax, waitMsMax });
    this.large = new BodyBudget({ bytesMax: largeBytesMax, waitersMax, waitMsMax });
  }

  /** Resolves with room for a body of that size in the budget that it belongs to; null: it must be rejected. */
  take(bytes: number, signal?: AbortSignal): Promise<BodyShare | null> {
    return (bytes <= this.#ordinaryBytes ? this.ordinary : this.large).take(bytes, signal);
  }

  gauges(): Gauge[] {
    return [...gaugesOf('ordinary', this.ordinary), ...gaugesOf('large', this.large)];
  }
}

function gaugesOf(size: 'ordinary' | 'large', budget: BodyBudget): Gauge[] {
  const labels = { size };
  return [
    sample(bodiesWaiting, budget.waiting, labels),
    sample(bodiesHeld, budget.heldBytes, labels),
  ];
}
