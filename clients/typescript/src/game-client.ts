/** The methods of a client, over its parts. */
import type { Client, ClientEvent, Options, StartResult, Value, Widened } from './client.js';
import { type Configuration, differingIds, type Entry, readBaseline } from './configuration.js';
import { Events } from './events.js';
import { ItemStore } from './item-store.js';
import { parsePointer, textAt, valueAt } from './json-pointer.js';
import { areAttributes } from './options.js';
import { Player } from './player.js';
import { Receipts } from './receipts.js';
import { callGame, Run } from './run.js';
import { Updates } from './updates.js';

export class GameClient implements Client {
  private readonly run: Run;
  private readonly items: ItemStore;
  private readonly receipts: Receipts;
  private readonly updates: Updates;
  private readonly baseline: Configuration | null = null;
  private readonly listeners = new Set<(event: ClientEvent) => void>();
  private player: Player | null = null;
  private events: Events | null = null;
  private started: Promise<StartResult> | null = null;
  private isSuspended = false;
  private isStopped = false;
  /** The player said no, which also counts for what is stored. */
  private hasRefused = false;

  constructor(options: Options) {
    this.run = new Run(options);
    this.items = new ItemStore(this.run);
    this.receipts = new Receipts(this.run);
    this.updates = new Updates(this.run, {
      failed: (code) => {
        this.run.log(code, `The server cannot be used: ${code}.`);
        this.emit('failed', [], this.player?.active ?? null, code);
      },
      completed: (takesEvents) => {
        if (takesEvents) this.run.takesEvents = true;
        this.events?.gather();
      },
    });
    if (options.baseline !== undefined) this.baseline = this.readBaseline(options.baseline);
  }

  start(waitMs: number): Promise<StartResult> {
    this.started ??= this.enter(this.run.options.user ?? '', waitMs);
    return this.started;
  }

  setUser(user: string, waitMs: number): Promise<StartResult> {
    void this.leave('abandoned');
    this.started = this.enter(user, waitMs);
    return this.started;
  }

  get<T>(id: string, pointer: string, defaultValue: T): Value<Widened<T>> {
    const value = this.find(id, pointer, (entry, path, parsed) => {
      if (!parsed.has(entry)) parsed.set(entry, JSON.parse(entry.data));
      return valueAt(parsed.get(entry), path);
    });
    const isOfType = typeof value === typeof defaultValue && value !== null;
    const isUsed = isOfType && (typeof value !== 'number' || Number.isFinite(value));
    return this.value(isUsed, (isUsed ? value : defaultValue) as Widened<T>);
  }

  getText(id: string, pointer: string, defaultText: string): Value<string> {
    const text = this.find(id, pointer, ({ data }, path) => textAt(data, path));
    const isUsed = text !== undefined && text !== 'null';
    return this.value(isUsed, isUsed ? text : defaultText);
  }

  watch(listener: (event: ClientEvent) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  async activate(): Promise<boolean> {
    return (await this.player?.activate()) ?? false;
  }

  ready(): void {
    void this.player?.ready();
  }

  refresh(): Promise<'changed' | 'unchanged' | 'failed'> {
    return new Promise((resolve) => {
      if (!this.run.isActive) return resolve('failed');
      this.run.isKeyRejected = false;
      this.updates.wait((failure, hasChanged) => {
        resolve(failure === null ? (hasChanged ? 'changed' : 'unchanged') : 'failed');
      });
      this.updates.ask();
    });
  }

  setContext(attributes: Readonly<Record<string, unknown>>): void {
    if (!areAttributes(attributes)) {
      this.run.log('attributes_invalid', 'The attributes are no object, or cannot be sent.');
      return;
    }
    this.run.attributes = attributes;
    this.updates.halt();
    this.updates.ask();
  }

  expose(id: string): void {
    this.events?.expose(String(id));
  }

  track(name: string, value: number): void {
    this.events?.track(String(name), value);
  }

  setConsent(isGiven: boolean): void {
    this.run.hasConsent = isGiven;
    this.hasRefused = !isGiven;
    if (isGiven) this.events?.gather();
    else this.events?.empty();
  }

  async flush(): Promise<void> {
    await this.events?.flush();
  }

  async suspend(): Promise<void> {
    if (!this.run.isActive) return;
    this.isSuspended = true;
    await this.halt();
  }

  resume(): void {
    if (!this.isSuspended || this.isStopped) return;
    this.isSuspended = false;
    this.run.isActive = true;
    this.run.isKeyRejected = false;
    this.updates.ask();
    this.events?.gather();
    this.receipts.send();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.leave('stopped');
  }

  /** From here on `get` has the values of the player. */
  private async enter(user: string, waitMs: number): Promise<StartResult> {
    const { run, items, updates } = this;
    if (this.isStopped) return resultOf(null, 'stopped');
    const player = new Player({
      run,
      items,
      user,
      baseline: this.baseline,
      emit: (type, before, now) => {
        if (player === this.player) this.emit(type, differingIds(before?.entries, now.entries), now);
      },
      report: (receipt, isOk) => this.receipts.add(user, receipt, isOk),
    });
    const events = new Events(run, items, player);
    this.player = player;
    this.events = events;
    run.isActive = !this.isSuspended;
    run.isKeyRejected = false;
    const used = this.wait(player, waitMs);
    await player.load();
    await events.load();
    if (this.hasRefused) events.empty();
    if (player === this.player) {
      updates.enter(player);
      updates.ask();
    }
    const failure = await used;
    player.isEntering = false;
    // What is being applied counts.
    await items.inOrder(async () => undefined);
    return resultOf(player, failure);
  }

  /** Completes when the server was used or cannot be, or when the time is over. */
  private wait(player: Player, waitMs: number): Promise<string | null> {
    const { updates, run } = this;
    if (!(waitMs > 0)) return Promise.resolve(null);
    player.isEntering = true;
    return new Promise((resolve) => {
      const cancel = run.clock.setTimer(() => {
        player.isEntering = false;
        resolve(updates.reason);
      }, waitMs);
      updates.wait((failure) => {
        cancel();
        resolve(failure);
      });
    });
  }

  /** Leaves the player: what waits completes as failed. */
  private leave(code: string): Promise<unknown> {
    const { player } = this;
    const halted = this.halt();
    this.updates.enter(null);
    this.updates.settle(code);
    if (player) player.isEntering = false;
    void player?.leave();
    return halted;
  }

  private async halt(): Promise<void> {
    this.run.isActive = false;
    this.updates.halt();
    this.receipts.halt();
    await this.events?.halt();
  }

  private find<T>(
    id: string,
    pointer: string,
    read: (entry: Entry, path: readonly string[], parsed: Configuration['parsed']) => T,
  ): T | undefined {
    try {
      const active = this.player?.active;
      const entry = active?.entries.get(id.toLowerCase());
      const path = parsePointer(pointer);
      return active && entry && path ? read(entry, path, active.parsed) : undefined;
    } catch {
      // No id, no pointer, or no JSON.
      return undefined;
    }
  }

  private value<T>(isUsed: boolean, value: T): Value<T> {
    const active = this.player?.active;
    const changesAtMs = Date.parse(active?.changesAt ?? '');
    return {
      value,
      source: isUsed && active ? active.source : 'default',
      isPastChange: this.run.nowMs() >= changesAtMs,
    };
  }

  private emit(
    type: ClientEvent['type'],
    ids: readonly string[],
    configuration: Configuration | null,
    code: string | null = null,
  ): void {
    const event = { type, ids, sequence: configuration?.sequence ?? 0, code };
    for (const listener of this.listeners) void callGame(listener, event);
  }

  private readBaseline(text: string): Configuration | null {
    const { run } = this;
    const baseline = readBaseline(text);
    if (baseline === null) run.log('baseline_invalid', 'The baseline cannot be read.');
    else if (baseline.appVersion !== run.options.appVersion)
      run.log('baseline_version', `The baseline is of the app version ${baseline.appVersion}.`);
    return baseline;
  }
}

function resultOf(player: Player | null, failure: string | null): StartResult {
  const { active = null, hasRecovered: recovered = false } = player ?? {};
  return { source: active?.source ?? 'default', sequence: active?.sequence ?? 0, recovered, failure };
}
