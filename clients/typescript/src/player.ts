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
import { log, type Run } from './run.js';

/** Players whose items are kept. */
const playersMax = 8;
/** Starts in a row that keep away from a configuration that goes on failing. */
const skipMax = 8;

type Known = Configuration | null;

/** Configurations by their fingerprints; '' is none. */
interface CrashRecord {
  /** The mark: it was applied and has not reached `ready`. */
  trying: string;
  /** Of the marked one. */
  receipt?: unknown;
  failed: string;
  /** Runs in a row that failed with it. */
  failures: number;
  /** Starts that keep away from it. */
  skip: number;
}

export type Player = ReturnType<typeof createPlayer>;

/**
 * @param emit calls listeners, with the configuration before and the one that waits or is active now
 * @param report sends a receipt
 */
export function createPlayer(
  run: Run,
  items: ItemStore,
  user: string,
  itsBaseline: Known,
  emit: (type: 'waiting' | 'activated', before: Known, now: Configuration) => void,
  report: (receipt: unknown, isOk: boolean) => void,
) {
  const { url, key, appVersion } = run;
  /** Names the items. */
  const prefix = checksum(`${url}\n${key}\n${user}`).crc;
  /** Tells players with the same prefix apart. */
  const owner = checksum(`${user}\n${key}\n${url}`).crc;
  // A copy: where the server gives the same, it becomes the latest.
  const baseline = itsBaseline && { ...itsBaseline };
  let confirmed: Known = null;
  let waiting: Known = null;
  /** Fingerprints of what the slots hold. */
  const slots = ['', ''];
  let record: CrashRecord = { trying: '', failed: '', failures: 0, skip: 0 };
  /** Whether `skip` was above 0 as the run began. */
  let isSkipping = false;

  const player = {
    user,
    prefix,
    owner,
    active: null as Known,
    latest: null as Known,
    /** `start` or `setUser` has not completed: what arrives is applied. */
    isEntering: false,
    /** The run before applied a configuration and did not reach `ready`. */
    recovered: false,
    /** What the server is said to be held. */
    held: (): Entries | undefined => (player.latest ?? confirmed ?? baseline)?.entries,

    /** Reads what is stored, and applies what the game begins with. */
    load: () =>
      items.inOrder(async () => {
        try {
          await readState();
          await enterIndex();
        } catch {
          // In a form that this kit does not write: it does not count.
        }
        if (record.trying) countFailure();
        isSkipping = record.skip > 0;
        if (isSkipping) record.skip -= 1;
        await apply(choose());
      }),

    /** A complete response: it becomes the latest. @returns whether that is another than before */
    take: (entries: Entries, origin: Origin) =>
      items.inOrder(async () => {
        const taken = makeConfiguration(entries, origin, appVersion, 'server');
        const { active, latest } = player;
        const known = [active, latest, confirmed].find((each) => isSame(each, taken));
        // One that comes too late for this start says nothing of it, whether anything differs or not.
        const receipt = (player.isEntering && taken.receipt) || known?.receipt;
        player.latest = Object.assign(known ?? taken, taken, { receipt });
        if (record.failed !== taken.fingerprint) forgetFailure();
        await writeSlot(player.latest, confirmed);
        await writeState();
        await consider(player.latest);
        return !isSame(latest, taken);
      }),

    /** Applies what waits. @returns whether something did */
    activate: () =>
      items.inOrder(async () => {
        const next = waiting;
        if (next) await applyAloud(next);
        return !!next;
      }),

    /** What is active now is confirmed. */
    ready() {
      const { active } = player;
      return items.inOrder(async () => {
        if (!active) return;
        record.trying = '';
        if (record.failed === active.fingerprint) forgetFailure();
        if (active.source !== 'baseline') {
          confirmed = active;
          await writeSlot(active, player.latest);
        }
        if (active.receipt) report(active.receipt, true);
        active.receipt = undefined;
        await writeState();
      });
    },

    /** The run leaves this player, which is no crash. */
    leave: () =>
      items.inOrder(() => {
        record.trying = '';
        return writeState();
      }),
  };

  const countFailure = () => {
    const { trying, failed, receipt } = record;
    record.failures = failed === trying ? record.failures + 1 : 1;
    record.failed = trying;
    record.skip = Math.min(2 ** (record.failures - 1), skipMax);
    player.recovered = true;
    if (receipt) report(receipt, false);
    log(run, 'recovered');
  };

  const forgetFailure = () => {
    record.failed = '';
    record.skip = 0;
  };

  const choose = (): Known => {
    const stored = [player.latest, confirmed].filter(
      (each) => each && each.fingerprint !== record.failed,
    );
    const chosen = stored.find((each) => each?.appVersion === appVersion);
    if (!baseline) return chosen ?? stored[0] ?? null;
    const isNewer = chosen?.store !== baseline.store || chosen.sequence >= baseline.sequence;
    return chosen && isNewer ? chosen : baseline;
  };

  /** Applies the latest, which the server has just given, or lets it wait. */
  const consider = async (latest: Configuration) => {
    const before = waiting;
    waiting = null;
    if (latest === player.active || (isSkipping && latest.fingerprint === record.failed)) return;
    if (player.isEntering) return apply(latest);
    if (run.autoActivate) return applyAloud(latest);
    waiting = latest;
    if (before !== latest) emit('waiting', player.active, latest);
  };

  const applyAloud = async (next: Configuration) => {
    const { active } = player;
    await apply(next);
    emit('activated', active, next);
  };

  /** The mark is stored before the values change. */
  const apply = async (next: Known) => {
    const isSafe = !next || isSame(confirmed, next) || isSame(baseline, next);
    record.trying = isSafe ? '' : next.fingerprint;
    record.receipt = next?.receipt;
    waiting = null;
    await writeState();
    player.active = next;
  };

  const writeState = () => {
    const { latest } = player;
    const { aheadMs } = run;
    return items.write(`${prefix}-state`, { ...record, owner, latest, confirmed, aheadMs });
  };

  /** Stores one in a slot which the other does not need. */
  const writeSlot = async ({ fingerprint, entries }: Configuration, other: Known) => {
    if (slots.includes(fingerprint)) return;
    const slot = slots[0] === other?.fingerprint ? 1 : 0;
    const isStored = await items.write(`${prefix}-${slot}`, [...entries.values()]);
    slots[slot] = isStored ? fingerprint : '';
  };

  const readState = async () => {
    const state = await items.read(`${prefix}-state`);
    if (state?.owner !== owner) return;
    const named: Known[] = [state.latest, state.confirmed];
    const stored: Configuration[] = [];
    for (const slot of [0, 1]) {
      const entries = byId((await items.read(`${prefix}-${slot}`)) ?? []);
      const { fingerprint } = makeConfiguration(entries, state, appVersion, 'cache');
      slots[slot] = fingerprint;
      const origin = named.find((each) => each?.fingerprint === fingerprint);
      if (origin) stored.push({ ...origin, receipt: undefined, entries, source: 'cache' });
    }
    const find = (one: Known) => stored.find((each) => isSame(one, each)) ?? null;
    player.latest = find(state.latest);
    confirmed = find(state.confirmed);
    run.aheadMs ??= state.aheadMs;
    const { trying, receipt, failed, failures, skip } = state;
    record = { trying, receipt, failed, failures, skip };
  };

  const enterIndex = async () => {
    const stored: string[] = (await items.read('index')) ?? [];
    const others = stored.filter((each) => each !== prefix);
    for (const fallen of others.splice(playersMax - 1))
      for (const item of ['state', 0, 1, 'events']) await items.write(`${fallen}-${item}`);
    await items.write('index', [prefix, ...others]);
  };

  return player;
}

function isSame(one: Known, other: Configuration): boolean {
  return one?.fingerprint === other.fingerprint;
}
