/** Asks the server for the player's configuration: refreshes with their retries, polls, and the stream beside them. */
import { createChangeStream } from './change-stream.js';
import { type Entries, type Page, readPage } from './configuration.js';
import { createLane, type Failure, hasType, retryAfterMsMax, unauthorized } from './lane.js';
import type { Player } from './player.js';
import { nowMs, type Run, setClock } from './run.js';

/** About what a phone takes in within the time of one request. */
const pageBytesMax = 2 ** 20;
/** With so many failures in a row what waits for the server completes. */
export const failuresMax = 4;
/** How long the server may be behind the instant that an event named. */
const atMsMax = 60_000;

/** Called when the server has been used, or cannot be. */
type Waiter = (failure: string | null, hasChanged: boolean) => void;

export type Updates = ReturnType<typeof createUpdates>;

/**
 * @param failed the server cannot be used
 * @param completed a complete response came, with its `takes`
 */
export function createUpdates(
  run: Run,
  failed: (code: string) => void,
  completed: (takes: unknown) => void,
) {
  const lane = createLane(run);
  let player: Player | undefined;
  /** The entries that came, also of a refresh that was interrupted, by id in lower case. */
  let held: Entries = new Map();
  const waiters: Waiter[] = [];
  let failures = 0;
  /** Code of the last failure in the row. */
  let lastFailure = 'timeout';
  let holdUntilMs = 0;
  let store = '';
  /** The last one seen in this run; -1: none, or the server does not reach it. */
  let sequence = -1;
  let changesAt: string | null = null;
  let notReached = 0;
  let at: string | undefined;
  let atCameMs = 0;

  const body = () => {
    // Defines members, also one of the name `__proto__`.
    const have = Object.fromEntries([...held.values()].map(({ id, tag }) => [id, tag]));
    if (nowMs(run) - atCameMs > atMsMax) at = undefined;
    return {
      u: player?.user,
      p: run.attributes,
      v: run.appVersion,
      ids: run.ids,
      have,
      bytesMax: pageBytesMax,
      at,
    };
  };

  const isStale = (page: Page) => page.store === store && page.sequence < sequence;

  const countNotReached = (code?: string) => {
    if (code === 'sequence_not_reached') notReached += 1;
    if (notReached > 1) sequence = -1;
  };

  const merge = (page: Page) => {
    ({ store, sequence, changesAt } = page);
    notReached = 0;
    const next = new Map([...held, ...page.entriesById]);
    for (const id of page.gone) next.delete(id);
    held = next;
  };

  /** @returns whether it is another configuration than before */
  const complete = async (page: Page) => {
    const itsPlayer = player;
    const hasChanged = await itsPlayer?.take(held, page);
    if (itsPlayer === player) completed(page.takes);
    return !!hasChanged;
  };

  const settle = (failure: string | null, hasChanged = false) => {
    for (const waiter of waiters.splice(0)) waiter(failure, hasChanged);
  };

  const later = (ms: number) => lane.later(ms, ask, !waiters.length);

  /** Asks as soon as the server permits it. During a request it joins that one. */
  const ask = () => {
    if (lane.isBusy() || !run.isOpen || !player) return;
    const holdMs = holdUntilMs - run.clock.wallMs();
    // Beyond that the device's clock was moved.
    if (holdMs > 0 && holdMs <= retryAfterMsMax) later(holdMs);
    else request();
  };

  const request = () => {
    const before = held;
    lane.post(
      'refresh?responseType=serialized',
      body(),
      (failure, text, header) => {
        if (failure) return fail(failure);
        // It may be older than an event that came meanwhile.
        if (before !== held) return request();
        const page = hasType(header, 'application/json') && readPage(text);
        // With nothing new and more to come it would go on for ever.
        if (
          !page ||
          (page.more && [...page.entriesById].every(([id, { tag }]) => held.get(id)?.tag === tag))
        )
          return fail({ reason: 'garbage' });
        setClock(run, header('date'));
        if (isStale(page)) return fail({ reason: 'stale' });
        merge(page);
        if (page.more) return request();
        failures = 0;
        lastFailure = 'timeout';
        void complete(page).then((hasChanged) => settle(null, hasChanged));
        stream.reopen();
        schedulePoll();
      },
      sequence,
    );
  };

  const fail = (failure: Failure) => {
    const { reason, isFinal, retryAfterMs = 0 } = failure;
    countNotReached(reason);
    holdUntilMs = run.clock.wallMs() + retryAfterMs;
    lastFailure = reason;
    if (isFinal) return reject(reason);
    failures += 1;
    if (failures === failuresMax) failed(reason);
    if (failures >= failuresMax) settle(reason);
    if (failures < failuresMax || run.updates !== 'none')
      lane.retryLater(failures, failure, ask, !waiters.length);
  };

  /** The same request would be rejected again. */
  const reject = (code: string) => {
    if (code === unauthorized) {
      run.isOpen = false;
      halt();
    }
    failed(code);
    settle(code);
    schedulePoll();
  };

  const schedulePoll = () => {
    if (lane.isWaiting() || stream.isOpen() || run.updates === 'none' || !run.isOpen) return;
    const pollMs = run.pollSeconds * 1000 * (0.8 + 0.4 * run.random());
    const changeMs = Date.parse(changesAt ?? '') - nowMs(run) + 2000 + 1000 * run.random();
    later(changeMs > 0 && changeMs < pollMs ? changeMs : pollMs);
  };

  const stream = createChangeStream(
    run,
    body,
    () => sequence,
    () => {
      // No polls now; what something waits for stays.
      if (!waiters.length && !lane.isBusy()) lane.quiet();
    },
    (failure) => {
      countNotReached(failure?.reason);
      if (failure?.reason === unauthorized) reject(unauthorized);
      else schedulePoll();
    },
    (data) => {
      const page = readPage(data);
      if (!page) throw new Error(data);
      // What is stale says what a refresh has brought already.
      if (!isStale(page)) {
        atCameMs = nowMs(run);
        at = page.at ?? at;
        merge(page);
        if (!page.more) void complete(page);
      }
    },
  );

  /** Ends requests, the stream and timers, until the next `ask`. */
  const halt = () => {
    lane.halt();
    stream.halt();
  };

  return {
    ask,
    halt,
    settle,
    /** Why what waits has no configuration of the server yet. */
    reason: () => lastFailure,
    wait(waiter: Waiter): void {
      waiters.push(waiter);
    },
    /** Another player, or none. */
    enter(next?: Player): void {
      player = next;
      held = next?.held() ?? new Map();
    },
  };
}
