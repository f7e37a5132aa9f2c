/** What a kit reports: exposures and metric events of one player, which are stored until they are sent, and receipts. */
import { checksum, toHex } from './checksum.js';
import type { ItemStore } from './item-store.js';
import { createLane } from './lane.js';
import type { Player } from './player.js';
import { log, nowMs, type Run } from './run.js';
import { failuresMax } from './updates.js';

/** What is kept while nothing can be sent. */
const eventsMax = 1_000;
const queueBytesMax = 256 * 1024;
/** Of a request's body. */
const bodyBytesMax = 64 * 1024;
/** Events of so long go together. */
const gatherMs = 10_000;
const nameCharsMax = 100;

function bytesOf(json: object): number {
  return checksum(JSON.stringify(json)).bytes;
}

export type Events = ReturnType<typeof createEvents>;

export function createEvents(run: Run, items: ItemStore, player: Player) {
  const { user, owner, prefix } = player;
  const lane = createLane(run);
  /** Events, the oldest first, with their bytes. */
  const queue = new Map<object, number>();
  /** What the player saw in this run: ids with tags. */
  const exposed = new Set<string>();
  /** Since it was logged. */
  let dropped = 0;
  let failures = 0;
  const waiters: (() => void)[] = [];

  const isPermitted = () => run.hasConsent && user !== '';
  const canSend = () => run.isOpen && run.takesEvents && run.hasConsent && queue.size > 0;

  const save = () =>
    items.inOrder(() => {
      if (dropped > 0) log(run, 'events_dropped', dropped);
      dropped = 0;
      const events = [...queue.keys()];
      return items.save(`${prefix}-events`, events[0] && { owner, events });
    });

  const settle = () => {
    for (const waiter of waiters.splice(0)) waiter();
  };

  const add = (event: object) => {
    queue.set(event, bytesOf(event));
    let left = queueBytesMax;
    for (const bytes of queue.values()) left -= bytes;
    for (const [oldest, bytes] of queue) {
      if (left >= 0 && queue.size <= eventsMax) break;
      queue.delete(oldest);
      left += bytes;
      dropped += 1;
    }
  };

  const push = (event: object) => {
    const eid = toHex(run.random() * 2 ** 32) + toHex(run.random() * 2 ** 32);
    add({ ...event, at: new Date(nowMs(run)).toISOString(), eid });
    gather();
  };

  /** Sends what is queued, a while later. */
  const gather = () => {
    if (!lane.isWaiting() && canSend()) lane.later(gatherMs, send);
  };

  const send = () => {
    if (!canSend()) return;
    let left = bodyBytesMax - bytesOf({ u: user, events: [] });
    const events = [...queue.keys()].filter((event) => {
      left -= (queue.get(event) ?? 0) + 1;
      return left >= 0;
    });
    lane.post('events', { u: user, events }, (failure) => {
      if (failure && !failure.isFinal) {
        failures += 1;
        if (run.updates !== 'none' || failures < failuresMax)
          lane.retryLater(failures, failure, send);
      } else {
        if (failure) log(run, 'events_rejected');
        failures = 0;
        for (const event of events) queue.delete(event);
        void save();
        if (canSend()) return send();
      }
      settle();
    });
  };

  return {
    gather,

    load: () =>
      items.inOrder(async () => {
        const stored = await items.load(`${prefix}-events`);
        if (stored?.owner !== owner) return;
        const events = [...stored.events, ...queue.keys()];
        queue.clear();
        for (const event of events) add(event);
      }),

    expose(id: string): void {
      const entry = player.active?.entriesById.get(id.toLowerCase());
      const key = `${entry?.id} ${entry?.tag}`;
      if (!entry?.seg.length || !isPermitted() || exposed.has(key)) return;
      exposed.add(key);
      push({ t: 'exposure', id: entry.id, tag: entry.tag, seg: entry.seg });
    },

    track(name: string, value: number): void {
      const isMetric = name && name.length <= nameCharsMax && Number.isFinite(value);
      if (isMetric && isPermitted()) push({ t: 'metric', n: name, x: value });
    },

    /** Completes when all was sent, with a failure, or at once where nothing may be sent. */
    async flush(): Promise<void> {
      void save();
      if (canSend()) {
        await new Promise<void>((resolve) => {
          waiters.push(resolve);
          if (!lane.isBusy()) send();
        });
      }
      await save();
    },

    forget(): void {
      queue.clear();
      void save();
    },

    /** Ends the timer and the request, and stores what is queued. */
    halt(): Promise<unknown> {
      lane.halt();
      settle();
      return save();
    },
  };
}

export type Receipts = ReturnType<typeof createReceipts>;

/** Sends receipts, which say whether a configuration reached `ready`. One after the other, in this run only. */
export function createReceipts(run: Run) {
  const lane = createLane(run);
  const waiting: object[] = [];
  let failures = 0;

  const send = () => {
    if (!waiting[0] || !run.isOpen || lane.isWaiting()) return;
    lane.post('receipts', waiting[0], (failure) => {
      failures += 1;
      if (failure && !failure.isFinal && failures < failuresMax)
        return lane.retryLater(failures, failure, send);
      failures = 0;
      waiting.shift();
      send();
    });
  };

  return {
    gather: send,
    halt: lane.halt,
    report(u: string, receipt: unknown, ok: boolean): void {
      if (receipt) waiting.push({ u, receipt, ok });
      send();
    },
  };
}
