/** The fleet of a server with an embedded store: this server, and no other. */
import type { Fleet, FleetNode, FleetResponse, FleetStatus } from './fleet.js';

export interface SingleServerParts {
  readonly name: string;
  /** Where players reach it. */
  readonly address: string;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly now: () => number;
  /** The newest sequence that all delivery processes serve, and how many serve. */
  readonly state: () => { readonly sequence: number; readonly serving: number };
}

/** Other servers would have random ids; there are none. */
const onlyId = 'self';

export class SingleServer implements Fleet {
  readonly #parts: SingleServerParts;

  constructor(parts: SingleServerParts) {
    this.#parts = parts;
  }

  nodes(): Promise<FleetNode[]> {
    return Promise.resolve([this.#self()]);
  }

  /** Returns at once: the request has waited for the delivery processes of this server, and there is no other server. */
  wait(sequence: number): Promise<FleetResponse> {
    const self = this.#self();
    return Promise.resolve(
      self.sequence >= sequence
        ? { acknowledged: [self], missing: [] }
        : { acknowledged: [], missing: [self] },
    );
  }

  /** The store is a file beside it: an edit that cannot be written says so, and nothing else does. */
  status(): FleetStatus {
    const storeSequence = this.#parts.state().sequence;
    return {
      store: 'sqlite',
      storeAvailable: true,
      storeSequence,
      leads: true,
      clockAheadMs: null,
      isClockSkewed: false,
    };
  }

  #self(): FleetNode {
    const { name, address, version, startedAtMs, now, state } = this.#parts;
    const { sequence, serving } = state();
    return {
      ...{ id: onlyId, name, address, version, startedAtMs, seenAtMs: now() },
      ...{ sequence, lag: 0, serving, live: true, self: true },
    };
  }
}
