/** The methods of a client, over its parts. */
import { attempt } from './attempt.js';
import type { Client, ClientEvent, Options, StartResult, Value, Widened } from './client.js';
import { differingIds, type Entry, type Known, readBaseline } from './configuration.js';
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
  let phase: 'new' | 'running' | 'suspended' | 'stopped' = 'new';

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
    if (phase === 'stopped') return resultOf(undefined, phase);
    if (phase === 'new') phase = 'running';
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
    run.isOpen = phase === 'running';
    const used = wait(its, waitMs);
    // In one go: what the game calls from here on comes behind it.
    void its.load();
    await itsEvents.load();
    if (run.hasConsent === false) itsEvents.empty();
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

  /** Reads from the active configuration. */
  const find = <T>(
    id: string,
    pointer: string,
    read: (entry: Entry, path: readonly string[]) => T,
  ) =>
    // No configuration, no content item, no pointer, and no JSON are no value.
    attempt(() => {
      const entry = player?.active?.entriesById.get(id.toLowerCase()) as Entry;
      return read(entry, parsePointer(pointer) as string[]);
    });

  const result = <T>(isUsed: boolean, value: T): Value<T> => ({
    value,
    source: (isUsed && player?.active?.source) || 'default',
    isPastChange: nowMs(run) >= Date.parse(player?.active?.changesAt ?? ''),
  });

  return {
    start(waitMs) {
      started ??= enter(options.user ?? '', waitMs);
      return started;
    },

    setUser(user, waitMs) {
      void leave('abandoned');
      started = enter(user, waitMs);
      return started;
    },

    get<T>(id: string, pointer: string, defaultValue: T) {
      const value = find(id, pointer, (entry, path) => {
        if (!parsed.has(entry)) parsed.set(entry, JSON.parse(entry.data));
        return valueAt(parsed.get(entry), path);
      });
      const isUsed =
        typeof value === typeof defaultValue &&
        value !== null &&
        (typeof value !== 'number' || Number.isFinite(value));
      return result(isUsed, (isUsed ? value : defaultValue) as Widened<T>);
    },

    getText(id, pointer, defaultText) {
      const text = find(id, pointer, ({ data }, path) => textAt(data, path));
      const isUsed = text !== undefined && text !== 'null';
      return result(isUsed, isUsed ? text : defaultText);
    },

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
        if (phase !== 'running') return resolve('failed');
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
      else events?.empty();
    },

    flush: async () => events?.flush(),

    async suspend() {
      if (phase !== 'running') return;
      phase = 'suspended';
      await halt();
    },

    resume() {
      if (phase !== 'suspended') return;
      phase = 'running';
      run.isOpen = true;
      updates.ask();
      events?.gather();
      receipts.gather();
    },

    async stop() {
      phase = 'stopped';
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
