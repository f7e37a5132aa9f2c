/** The messages to a process that holds streams and from it, nothing else. */

export interface HeldPlan {
  readonly port: number;
  readonly secure: boolean;
  readonly key: string;
  /** Source addresses on the loopback network: each has ports of its own. */
  readonly addresses: readonly string[];
  /** Ids that its streams follow; null: all. */
  readonly ids: readonly string[] | null;
  /** Of its first stream: streams are numbered over all processes, and the number makes the evaluation context. */
  readonly from: number;
}

export type ToHeld =
  | { readonly type: 'plan'; readonly plan: HeldPlan }
  /** From now on it holds that many. */
  | { readonly type: 'hold'; readonly count: number };

/** Times are milliseconds of the monotonic clock, which all processes of the machine share. */
export type FromHeld =
  | { readonly type: 'ready' }
  /** Sent when something has changed, for some changes together. */
  | ({ readonly type: 'state' } & HeldState)
  | { readonly type: 'woken'; readonly wakes: readonly Wake[] }
  /** Something that no client may see. */
  | { readonly type: 'fault'; readonly text: string };

export interface HeldState {
  /** Streams that are open with a complete first answer, and when the last one came up or went down. */
  readonly up: number;
  readonly upAtMs: number;
  /** Streams that were open and ended, and attempts that were answered with 429 or 503, since the start. */
  readonly ended: number;
  readonly refused: number;
}

/** A complete answer after the first of a connection. */
export interface Wake {
  readonly stream: number;
  readonly sequence: number;
  /** Ids of what changed or is gone. */
  readonly ids: readonly string[];
  readonly atMs: number;
}

/** Milliseconds of the clock that all processes share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
