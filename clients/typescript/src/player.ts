/** The configurations of one player: which are stored, which is active, which waits, and what a crash changes. */
import { checksum } from './checksum.js';
import {
  byId,
  type Configuration,
  type Entries,
  makeConfiguration,
  type Origin,
} from './configuration.js';
import type { ItemStore } from './item-store.js';
import type { Run } from './run.js';

/** Players whose items are kept. */
const playersMax = 8;
/** Starts that keep away from a configuration that goes on failing. */
const skipMax = 8;

const itemsOfPlayer = ['state', '0', '1', 'events'];

export interface PlayerDeps {
  readonly run: Run;
  readonly items: ItemStore;
  readonly user: string;
  readonly baseline: Configuration | null;
  emit(type: 'waiting' | 'activated', before: Configuration | null, now: Configuration): void;
  /** Sends a receipt, which a response had. */
  report(receipt: unknown, isOk: boolean): void;
}

export class Player {
  readonly user: string;
  /** Names its items. */
  readonly prefix: string;
  /** Tells players with the same prefix apart. */
  readonly owner: string;
  active: Configuration | null = null;
  latest: Configuration | null = null;
  /** `start` or `setUser` has not completed: what arrives is applied. */
  isEntering = false;
  /** Whether the run before applied a configuration and did not reach `ready`. */
  hasRecovered = false;
  private readonly deps: PlayerDeps;
  /** A copy: where the server gives the same, it becomes the latest. */
  private readonly baseline: Configuration | null;
  private confirmed: Configuration | null = null;
  private waiting: Configuration | null = null;
  /** Fingerprints of what the slots hold. */
  private slots: [string, string] = ['', ''];
  /** The mark: a fingerprint, and the receipt of that configuration. */
  private trying = '';
  private receipt: unknown;
  private failed = '';
  private failures = 0;
  private skip = 0;
  /** `skip` as this run began. */
  private isSkipping = false;

  constructor(deps: PlayerDeps) {
    this.deps = deps;
    this.user = deps.user;
    this.baseline = deps.baseline && { ...deps.baseline };
    const { url, key } = deps.run.options;
    this.prefix = checksum(`${url}\n${key}\n${deps.user}`).crc;
    const { crc, bytes } = checksum(`${deps.user}\n${key}\n${url}`);
    this.owner = `${crc}-${bytes}`;
  }

  /** What the server is said to be held. */
  get held(): Entries {
    return (this.latest ?? this.confirmed ?? this.baseline)?.entries ?? new Map();
  }

  /** Reads what is stored, and applies what the game begins with. */
  load(): Promise<void> {
    return this.deps.items.inOrder(async () => {
      await this.enterIndex();
      try {
        await this.readState();
      } catch {
        // In a format of another kit: it does not count.
      }
      if (this.trying) this.countFailure();
      this.isSkipping = this.skip > 0;
      if (this.isSkipping) this.skip -= 1;
      await this.apply(this.choose());
    });
  }

  /**
   * A complete response: the latest, which is applied where it may be.
   * @returns whether it is another than the latest before
   */
  take(entries: Entries, origin: Origin): Promise<boolean> {
    return this.deps.items.inOrder(async () => {
      const { appVersion } = this.deps.run.options;
      const taken = makeConfiguration(entries, origin, appVersion, 'server');
      const { fingerprint } = taken;
      const isSame = (each: Configuration | null) => each?.fingerprint === fingerprint;
      const hasChanged = !isSame(this.latest);
      const known = [this.active, this.latest, this.confirmed].find(isSame);
      this.latest = known ? Object.assign(known, { ...origin, appVersion, source: 'server' }) : taken;
      if (this.failed !== fingerprint) this.forgetFailure();
      await this.writeSlot(this.latest, this.confirmed);
      await this.writeState();
      await this.consider(this.latest);
      return hasChanged;
    });
  }

  activate(): Promise<boolean> {
    return this.deps.items.inOrder(async () => {
      const { active, waiting } = this;
      if (waiting === null) return false;
      await this.apply(waiting);
      this.deps.emit('activated', active, waiting);
      return true;
    });
  }

  /** The configuration that is active now is confirmed. */
  ready(): Promise<void> {
    const { active } = this;
    return this.deps.items.inOrder(async () => {
      if (active === null) return;
      this.trying = '';
      if (this.failed === active.fingerprint) this.forgetFailure();
      if (active.source !== 'baseline') {
        this.confirmed = active;
        await this.writeSlot(active, this.latest);
      }
      const { receipt } = active;
      if (receipt !== undefined) {
        this.deps.report(receipt, true);
        Object.assign(active, { receipt: undefined });
      }
      await this.writeState();
    });
  }

  /** The run leaves this player, which is no crash. */
  leave(): Promise<unknown> {
    return this.deps.items.inOrder(() => {
      this.trying = '';
      return this.writeState();
    });
  }

  private countFailure(): void {
    this.hasRecovered = true;
    this.failures = this.failed === this.trying ? this.failures + 1 : 1;
    this.failed = this.trying;
    this.skip = Math.min(2 ** (this.failures - 1), skipMax);
    if (this.receipt !== undefined) this.deps.report(this.receipt, false);
    this.deps.run.log('recovered', 'The run before did not reach `ready`.');
  }

  private forgetFailure(): void {
    this.failed = '';
    this.failures = 0;
    this.skip = 0;
    this.isSkipping = false;
  }

  private choose(): Configuration | null {
    const { latest, confirmed, failed, baseline } = this;
    const { run } = this.deps;
    const stored = [latest, confirmed].filter((each) => each && each.fingerprint !== failed);
    const chosen = stored.find((each) => each?.appVersion === run.options.appVersion) ?? null;
    if (baseline === null) return chosen ?? stored[0] ?? null;
    const isOlder = chosen?.store === baseline.store && chosen.sequence < baseline.sequence;
    return chosen === null || isOlder ? baseline : chosen;
  }

  /** Applies the latest, which the server gave in this run, or lets it wait. */
  private async consider(latest: Configuration): Promise<void> {
    const { active } = this;
    const before = this.waiting;
    this.waiting = null;
    const isKeptAway = this.isSkipping && latest.fingerprint === this.failed;
    if (latest === active || isKeptAway) return;
    if (this.isEntering) return this.apply(latest);
    if (this.deps.run.options.autoActivate) {
      await this.apply(latest);
      this.deps.emit('activated', active, latest);
      return;
    }
    this.waiting = latest;
    if (before !== latest) this.deps.emit('waiting', active, latest);
  }

  /** The mark is stored before the values change. */
  private async apply(next: Configuration | null): Promise<void> {
    const fingerprint = next?.fingerprint;
    const isSafe = [null, this.confirmed, this.baseline].some(
      (each) => each?.fingerprint === fingerprint,
    );
    this.trying = isSafe ? '' : (fingerprint as string);
    this.receipt = next?.receipt;
    this.waiting = null;
    await this.writeState();
    this.active = next;
  }

  /** Stores a configuration in a slot which the other one does not need. */
  private async writeSlot(one: Configuration, other: Configuration | null): Promise<void> {
    if (this.slots.includes(one.fingerprint)) return;
    const slot = this.slots[0] === other?.fingerprint ? 1 : 0;
    this.slots[slot] = '';
    const list = [...one.entries.values()];
    const isStored = await this.deps.items.write(`${this.prefix}-${slot}`, list);
    if (isStored) this.slots[slot] = one.fingerprint;
  }

  private writeState(): Promise<unknown> {
    const { owner, trying, receipt, failed, failures, skip, deps } = this;
    const [latest, confirmed] = [this.latest, this.confirmed].map(
      (each) => each && { ...each, entries: undefined, parsed: undefined, source: undefined },
    );
    const { aheadMs } = deps.run;
    const state = { owner, latest, confirmed, aheadMs, trying, receipt, failed, failures, skip };
    return deps.items.write(`${this.prefix}-state`, state);
  }

  private async readState(): Promise<void> {
    const { items, run } = this.deps;
    const state = await items.read(`${this.prefix}-state`);
    if (state?.owner !== this.owner) return;
    const found: Configuration[] = [];
    for (const slot of [0, 1] as const) {
      const list = await items.read(`${this.prefix}-${slot}`);
      if (list === undefined) continue;
      const { latest, confirmed } = state;
      const entries = byId(list);
      const { fingerprint } = makeConfiguration(entries, latest, undefined, 'cache');
      this.slots[slot] = fingerprint;
      const origin = [latest, confirmed].find((each) => each?.fingerprint === fingerprint);
      if (origin) found.push(makeConfiguration(entries, origin, origin.appVersion, 'cache'));
    }
    const named = (one: { fingerprint: string } | null) =>
      found.find((each) => each.fingerprint === one?.fingerprint) ?? null;
    this.latest = named(state.latest);
    this.confirmed = named(state.confirmed);
    run.aheadMs ??= state.aheadMs;
    Object.assign(this, { trying: state.trying, receipt: state.receipt, failed: state.failed });
    Object.assign(this, { failures: state.failures, skip: state.skip });
  }

  private async enterIndex(): Promise<void> {
    const { items } = this.deps;
    const stored = await items.read('index');
    const others = Array.isArray(stored) ? stored.filter((each) => each !== this.prefix) : [];
    for (const prefix of others.splice(playersMax - 1))
      for (const item of itemsOfPlayer) await items.write(`${prefix}-${item}`, undefined);
    await items.write('index', [this.prefix, ...others]);
  }
}
