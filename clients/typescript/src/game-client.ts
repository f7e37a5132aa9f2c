/** The methods of a client, over its parts. */
import { attempt } from './attempt.js';
import type { Client, ClientEvent, Options, StartResult, Value, Widened } from './client.js';
import {
  type Configuration,
  differingIds,
  type Entry,
  type Known,
  readBaseline,
} from './configuration.js';
import { createItemStore } from './item-store.js';
import { parsePointer, textAt, valueAt } from './json-pointer.js';
import { areAttributes } from './options.js';
import { createPlayer, type Player } from './player.js';
import { createEvents, createReceipts, type Events } from './reports.js';
import { callGame, createRun, log, nowMs, type Run } from './run.js';
import { createUpdates } from './updates.js';

export function createGameClient(options: Options): Client {
  const run = createRun(options);
  const items = createItemStore(run);
  const receipts = createReceipts(run);
  const baseline = loadBaseline(run);
  /** Data as far as it was asked for. */
  const parsed = new WeakMap<Entry, unknown>();
  const listeners = new Set<(event: ClientEvent) => void>();
  let player: Player | undefined;
  let events: Events | undefined;
  let started: Promise<StartResult> | undefined;
  /** Between `start` and `suspend` or `stop`. */
  let isRunning = false;
  let isStopped = false;

  const emit = (
    type: ClientEvent['type'],
    ids: readonly string[],
    sequence = 0,
    code: string | null = null,
  ) => {
    for (const listener of listeners) void callGame(listener, { type, ids, sequence, code });
  };

  const updates = createUpdates(
    run,
    (code) => {
      log(run, code);
      emit('failed', [], player?.active?.sequence, code);
    },
    (takes) => {
      if (Array.isArray(takes) && takes.includes('events')) run.takesEvents = true;
      events?.gather();
    },
  );

  const halt = () => {
    run.isOpen = false;
    updates.halt();
    receipts.halt();
    return events?.halt();
  };

  /** Leaves the player: what waits completes as failed. */
  const leave = async (code: string) => {
    void halt();
    updates.enter();
    updates.settle(code);
    await player?.leave();
  };

  /** From here on `get` has the values of the player. */
  const enter = async (user: string, waitMs: number): Promise<StartResult> => {
    if (isStopped) return resultOf(undefined, 'stopped');
    // A suspended game stays so.
    if (!started) isRunning = true;
    const its: Player = createPlayer(
      run,
      items,
      user,
      baseline,
      (type, before, now) => {
        if (its === player)
          emit(type, differingIds(before?.entriesById, now.entriesById), now.sequence);
      },
      (receipt, isOk) => receipts.report(user, receipt, isOk),
    );
    player = its;
    const itsEvents = createEvents(run, items, its);
    events = itsEvents;
    run.isOpen = isRunning;
    const used = wait(its, waitMs);
    // In one go: what the game calls from here on comes behind it.
    void its.load();
    await itsEvents.load();
    if (run.hasConsent === false) itsEvents.forget();
    if (its === player) {
      updates.enter(its);
      updates.ask();
    }
    const failure = await used;
    // What is being applied counts.
    await items.inOrder(() => undefined);
    return resultOf(its, failure);
  };

  /** Completes when the server was used or cannot be, or when the time is over. */
  const wait = (its: Player, waitMs: number) =>
    new Promise<string | null>((resolve) => {
      if (!(waitMs > 0)) return resolve(null);
      its.isEntering = true;
      const end = (failure: string | null) => {
        cancel();
        its.isEntering = false;
        resolve(failure);
      };
      const cancel = run.clock.setTimer(() => end(updates.reason()), waitMs);
      updates.wait(end);
    });

  /** Reads from the active configuration. @param read returns undefined where nothing can be used */
  const find = <T>(
    id: string,
    pointer: string,
    defaultValue: T,
    read: (entry: Entry, path: readonly string[]) => T | undefined,
  ): Value<T> => {
    const {
      entriesById,
      source = 'default',
      changesAt,
    } = player?.active ?? ({} as Partial<Configuration>);
    // Without a content item, a pointer or JSON there is no value.
    const value = attempt(() =>
      read(entriesById?.get(id.toLowerCase()) as Entry, parsePointer(pointer) as string[]),
    );
    return {
      value: value ?? defaultValue,
      source: value === undefined ? 'default' : source,
      isPastChange: nowMs(run) >= Date.parse(changesAt ?? ''),
    };
  };

  return {
    start(waitMs) {
      started ??= enter(run.user, waitMs);
      return started;
    },

    setUser(user, waitMs) {
      void leave('abandoned');
      started = enter(user, waitMs);
      return started;
    },

    get<T>(id: string, pointer: string, defaultValue: T) {
      return find(id, pointer, defaultValue as Widened<T>, (entry, path) => {
        if (!parsed.has(entry)) parsed.set(entry, JSON.parse(entry.data));
        const value = valueAt(parsed.get(entry), path);
        const isUsable =
          typeof value === typeof defaultValue &&
          value !== null &&
          (typeof value !== 'number' || Number.isFinite(value));
        return isUsable ? (value as Widened<T>) : undefined;
      });
    },

    getText: (id, pointer, defaultText) =>
      find(id, pointer, defaultText, ({ data }, path) => {
        const text = textAt(data, path);
        return text === 'null' ? undefined : text;
      }),

    watch(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    activate: async () => (await player?.activate()) ?? false,

    ready() {
      void player?.ready();
    },

    refresh: () =>
      new Promise((resolve) => {
        if (!isRunning) return resolve('failed');
        run.isOpen = true;
        updates.wait((failure, hasChanged) =>
          resolve(failure ? 'failed' : hasChanged ? 'changed' : 'unchanged'),
        );
        updates.ask();
      }),

    setContext(attributes) {
      if (!areAttributes(attributes)) return log(run, 'attributes_invalid');
      run.attributes = attributes;
      updates.halt();
      updates.ask();
    },

    expose(id) {
      events?.expose(`${id}`);
    },

    track(name, value) {
      events?.track(name, value);
    },

    setConsent(isGiven) {
      run.hasConsent = isGiven;
      if (isGiven) events?.gather();
      else events?.forget();
    },

    flush: async () => events?.flush(),

    async suspend() {
      isRunning = false;
      await halt();
    },

    resume() {
      if (isRunning || isStopped || !started) return;
      isRunning = true;
      run.isOpen = true;
      updates.ask();
      events?.gather();
      receipts.gather();
    },

    async stop() {
      isRunning = false;
      isStopped = true;
      await leave('stopped');
    },
  };
}

function loadBaseline(run: Run): Known {
  if (run.baseline === undefined) return undefined;
  const baseline = readBaseline(run.baseline);
  if (!baseline) log(run, 'baseline_invalid');
  else if (baseline.appVersion !== run.appVersion) log(run, 'baseline_version');
  return baseline;
}

function resultOf(player: Player | undefined, failure: string | null): StartResult {
  const { active, recovered = false } = player ?? {};
  const { source = 'default', sequence = 0 } = active ?? {};
  return { source, sequence, recovered, failure };
}
