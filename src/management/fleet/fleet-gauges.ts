/** What `/metrics` shows of the store and of the servers that share it, also while the store is away. */

import { storeGaugesMsMax } from '../limits/processes.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import { StaleCache } from '../store/stale-cache.js';
import type { Fleet, FleetNode } from './fleet.js';

const storeUp = metric({
  name: 'loadout_store_up',
  help: '1 while the store responds; 0: edits are rejected, players are served what was published last.',
});
const storeSequence = metric({
  name: 'loadout_store_sequence',
  help: 'The newest sequence of the store that this server has heard of.',
});
const sequenceLag = metric({
  name: 'loadout_sequence_lag',
  help: 'How many sequences this server is behind the store.',
});
const fleetNodes = metric({
  name: 'loadout_fleet_nodes',
  help: 'Servers that share the store, by whether they were seen lately.',
  labels: ['state'],
  note: '`live` or `away`; while the store is away, as they were known last.',
});
const chores = metric({
  name: 'loadout_chores',
  help: '1 on the server that does the background work of all: webhooks, retention.',
});
const clockAhead = metric({
  name: 'loadout_clock_ahead_seconds',
  help: "How far this server's clock is ahead of the store's; negative: behind.",
});

export const fleetMetrics: readonly Metric[] = [
  ...[storeUp, storeSequence, sequenceLag, fleetNodes, chores, clockAhead],
];

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
    const nodes = this.#nodes.value.filter(({ follows }) => follows === undefined);
    const { storeAvailable, leads, clockAheadMs, ...store } = this.#fleet.status();
    const live = nodes.filter((node) => node.live).length;
    return [
      sample(storeUp, storeAvailable ? 1 : 0),
      sample(storeSequence, store.storeSequence),
      sample(sequenceLag, Math.max(0, store.storeSequence - this.#sequence())),
      sample(fleetNodes, live, { state: 'live' }),
      sample(fleetNodes, nodes.length - live, { state: 'away' }),
      sample(chores, leads ? 1 : 0),
      sample(clockAhead, (clockAheadMs ?? 0) / 1_000),
    ];
  }
}
