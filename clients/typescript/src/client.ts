/** The client of a game: its configuration at every start, whatever the network does. */
import type { Source } from './configuration.js';
import { createGameClient } from './game-client.js';
import { checkOptions } from './options.js';
import type { Clock, Storage, Transport } from './platform.js';

export interface Options {
  /** Address of the delivery port. */
  readonly url: string;
  /** API key of the environment. */
  readonly key: string;
  /** An account, or a random id that the game keeps. */
  readonly user?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** X.Y.Z */
  readonly appVersion?: string;
  /** Content ids that the game wants; all when left out. */
  readonly ids?: readonly string[];
  /** What `loadout export --baseline` wrote. */
  readonly baseline?: string;
  /** null: in memory only. Left out: `localStorage` where there is one. */
  readonly storage?: Storage | null;
  readonly updates?: 'stream' | 'poll' | 'none';
  readonly pollSeconds?: number;
  readonly autoActivate?: boolean;
  readonly consentRequired?: boolean;
  readonly log?: (code: string, sentence: string) => void;
  readonly transport?: Transport;
  readonly clock?: Clock;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

export interface Value<T> {
  readonly value: T;
  readonly source: Source;
  /** The value may have ended: its configuration was to change before now. */
  readonly isPastChange: boolean;
}

export interface StartResult {
  readonly source: Source;
  /** 0: there is no configuration. */
  readonly sequence: number;
  /** The run before applied a configuration and never called `ready`. */
  readonly recovered: boolean;
  /** Why the server could not be used; null: it was, or was not waited for. */
  readonly failure: string | null;
}

export interface ClientEvent {
  readonly type: 'waiting' | 'activated' | 'failed';
  /** Content ids that differ, sorted. */
  readonly ids: readonly string[];
  readonly sequence: number;
  /** Of a failure; else null. */
  readonly code: string | null;
}

/** No method throws, and no promise of one rejects. */
export interface Client {
  start(waitMs: number): Promise<StartResult>;
  get<T>(id: string, pointer: string, defaultValue: T): Value<Widened<T>>;
  /** The JSON text of a value, for integers beyond 2^53. */
  getText(id: string, pointer: string, defaultText: string): Value<string>;
  watch(listener: (event: ClientEvent) => void): () => void;
  activate(): Promise<boolean>;
  ready(): void;
  refresh(): Promise<'changed' | 'unchanged' | 'failed'>;
  setUser(user: string, waitMs: number): Promise<StartResult>;
  setContext(attributes: Readonly<Record<string, unknown>>): void;
  expose(id: string): void;
  track(name: string, value: number): void;
  setConsent(isGiven: boolean): void;
  flush(): Promise<void>;
  /** Completes when what is queued is stored. */
  suspend(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

/** Without it the default `5` would ask for a value of the type `5`. */
export type Widened<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends boolean
      ? boolean
      : T;

/** Throws a TypeError that names the option which is wrong. */
export function createClient(options: Options): Client {
  checkOptions(options);
  return createGameClient(options);
}
