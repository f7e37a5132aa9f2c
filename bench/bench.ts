/** What a question is given to answer itself with, and what it hands back. */
import type { Build } from './build.js';
import type { LatencyCounts } from './measure/latency-histogram.js';
import type { Spread } from './measure/statistics.js';

/** Whether Loadout's native addon does the document work: as `serve --native`. */
export type NativeChoice = 'auto' | 'on' | 'off';

/** The cores that processes are bound to, as the kernel numbers them; neither is empty. */
export interface Cores {
  readonly server: readonly number[];
  readonly load: readonly number[];
}

export interface Bench {
  /** One: its contenders are compared with each other. Two: that build is compared with the other one. */
  readonly builds: readonly Build[];
  readonly rounds: number;
  /** Of load per run; warm-up comes on top. */
  readonly seconds: number;
  readonly warmSeconds: number;
  readonly quick: boolean;
  /** Every scenario that can be is cross-checked with wrk; never: none is. */
  readonly wrk: boolean | 'never';
  readonly native: NativeChoice;
  readonly soakMinutes: number;
  /** Who takes part in a race beside Loadout; null: all that the scenario names. */
  readonly contenders: readonly string[] | null;
  readonly cores: Cores;
  /** Delivery processes of a contender, on one port; 0: as the question has it. */
  readonly listeners: number;
  /** Connections of a closed load; 0: as the scenario has it. */
  readonly connections: number;
  /** A line about what is going on, for people who wait. */
  readonly progress: (line: string) => void;
}

export interface Question {
  /** `http/…` or `micro/…`; the command line picks by prefix. */
  readonly name: string;
  /** Whether it can be answered for two builds, and so by bench:compare. */
  readonly comparesBuilds: boolean;
  readonly answer: (bench: Bench) => Promise<Finding>;
}

export type Cell = string | number;

/** One table, with the figures behind it. */
export interface Finding {
  readonly question: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly notes: readonly string[];
  readonly figures: readonly Figure[];
  readonly curves?: readonly Curve[];
}

/** Latency against load: a line of a plot. */
export interface Curve {
  readonly label: string;
  readonly points: readonly { readonly perSecond: number; readonly ms: number }[];
}

/** What goes into results/, and what two builds are compared by. */
export interface Figure {
  readonly contender: string;
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower' | 'neither';
  readonly perRound: readonly number[];
  readonly spread: Spread;
  readonly latencies?: LatencyCounts;
  /** How its values lie, in its unit: of a micro benchmark, all batches of all rounds. */
  readonly distribution?: LatencyCounts;
}
