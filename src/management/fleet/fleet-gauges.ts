/** What `/metrics` shows of the store and of the servers that share it, also while the store is away. */

import { storeGaugesMsMax } from '../limits/processes.js';
import type { Gauge } from '../metrics.js';
import { StaleCache } from '../store/stale-cache.js';
import type { Fleet, FleetNode } from './fleet.js';

export class FleetGauges {
  readonly #fleet: Fleet;
  readonly #sequence: () => number;
  readonly #nodes: StaleCache<readonly FleetNode[]>;

  /** @param sequence the newest one that this server serves */
  constructor(fleet: Fleet, sequence: () => number) {
    this.#fleet = fleet;
    this.#sequence = sequence;
    this.#nodes = new StaleCache(() => fleet.nodes(), [], storeGaugesMsMax);
  }

  /** If the store does not respond soon, the servers are those of the last reading. */
  async read(): Promise<Gauge[]> {
    if (this.#fleet.status().storeAvailable) await this.#nodes.soon();
    const nodes = this.#nodes.value;
    const { storeAvailable, storeSequence, leads, clockAheadMs } = this.#fleet.status();
    const live = nodes.filter((node) => node.live).length;
    return [
      {
        name: 'loadout_store_up',
        help: '1 while the store responds; 0: edits are rejected, players are served what was published last.',
        value: storeAvailable ? 1 : 0,
      },
      {
        name: 'loadout_store_sequence',
        help: 'The newest sequence of the store that this server has heard of.',
        value: storeSequence,
      },
      {
        name: 'loadout_sequence_lag',
        help: 'How many sequences this server is behind the store.',
        value: Math.max(0, storeSequence - this.#sequence()),
      },
      nodesGauge('live', live),
      nodesGauge('away', nodes.length - live),
      {
        name: 'loadout_chores',
        help: '1 on the server that does the background work of all: webhooks, retention.',
        value: leads ? 1 : 0,
      },
      {
        name: 'loadout_clock_ahead_seconds',
        help: "How far this server's clock is ahead of the store's; negative: behind.",
        value: (clockAheadMs ?? 0) / 1_000,
      },
    ];
  }
}

function nodesGauge(state: 'live' | 'away', value: number): Gauge {
  const help = 'Servers that share the store, by whether they were seen lately.';
  return { name: 'loadout_fleet_nodes', help, labels: { state }, value };
}
