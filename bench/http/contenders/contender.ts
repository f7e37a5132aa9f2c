/** What is compared over HTTP: servers that answer the same requests, each started as a fresh process. */
import type { ChildProcess } from 'node:child_process';
import type { DeliveryMeasures } from '../../../src/published/barrier.js';
import type { NativeChoice } from '../../bench.js';
import type { Build } from '../../build.js';

/** `pooled-aside`: `pooled`, its pool on another core than its event loop. */
export type ContenderKind = 'loadout' | 'floor' | 'ordinary' | 'pooled' | 'pooled-aside';

export interface Certificate {
  readonly certPath: string;
  readonly keyPath: string;
}

/** What a contender may read to serve a scenario. */
export interface ServerInput {
  readonly build: Build;
  readonly publishedPath: string;
  /** The contents as JSON, for `ordinary`. */
  readonly plainGamePath: string;
  /** A response table (load/response-table.ts) and the headers that go with it, for `floor`. */
  readonly tablePath: string;
  readonly answerHeaders: readonly (readonly [name: string, value: string])[];
  readonly certificate: Certificate | null;
  readonly core: number;
  /** Whether its helper threads (the pool) run on the load generators' core instead of that of its event loop. */
  readonly poolAside: boolean;
  readonly native: NativeChoice;
  /** Where to listen: 0 for a free port, another one to share it. */
  readonly port: number;
}

export interface Server {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  /** Loadout alone: what it counts about itself, and that an edit was published. */
  readonly delivery: DeliveryControl | null;
}

export interface DeliveryControl {
  measure(): Promise<DeliveryMeasures>;
  /** Resolves when requests see the sequence. */
  publish(sequence: number): Promise<void>;
}
