/** The servers that share a store: who they are, how far each is, and whether all of them serve an edit. Types only. */

/** One server, as it last said. */
export interface FleetNode {
  /** Random; it stays with the data folder. */
  readonly id: string;
  /** The operator's, or the host's. */
  readonly name: string;
  /** Where players reach it. */
  readonly address: string;
  readonly version: string;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  /** The newest sequence that all its delivery processes serve. */
  readonly sequence: number;
  /** How many numbers that is behind the store's newest one. */
  readonly lag: number;
  /** Delivery processes that serve. */
  readonly serving: number;
  /** Whether it was seen lately: an edit waits for those that are. */
  readonly live: boolean;
  /** Whether it is the server that was asked. */
  readonly self: boolean;
  /** Id of the server that it follows; left out: it shares the store. */
  readonly follows?: string;
  /** Names of servers below it that are away or behind, a few of them; left out: none is. */
  readonly behindBelow?: string[];
}

/** Which live servers serve a number, and which of them did not say so in time. */
export interface FleetResponse {
  readonly acknowledged: readonly FleetNode[];
  readonly missing: readonly FleetNode[];
}

export interface Fleet {
  /**
   * By name. The embedded store has one server: this.
   * @throws StoreUnavailable
   */
  nodes(): Promise<FleetNode[]>;
  /**
   * Resolves when every live server serves everything up to the sequence, or the time is up.
   * @throws StoreUnavailable
   */
  wait(sequence: number, msMax: number): Promise<FleetResponse>;
  /** What this server knows of the store and its log. */
  status(): FleetStatus;
}

export interface FleetStatus {
  readonly store: 'sqlite' | 'postgres';
  /** Whether it responded to the last request. */
  readonly storeAvailable: boolean;
  /** The newest number that this server has received. */
  readonly storeSequence: number;
  /** Whether this server does the background work of all (webhooks, retention). */
  readonly leads: boolean;
  /** How far this server's clock is ahead of the store's, milliseconds; null: not compared, or they are one clock. */
  readonly clockAheadMs: number | null;
  /** Whether that is more than a second, whatever the error of the comparison. */
  readonly isClockSkewed: boolean;
}
