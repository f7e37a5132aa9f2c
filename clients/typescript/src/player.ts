/** The configurations of one player: which are stored, which is active, which waits, and what a crash changes. */
import { checksum } from './checksum.js';
import {
  byId,
  type Configuration,
  type Entries,
  fingerprintOf,
  type Known,
  makeConfiguration,
  type Origin,
} from './configuration.js';
import type { ItemStore } from './item-store.js';
import { log, type Run } from './run.js';

/** Players whose items are kept. */
const playersMax = 8;
/** Starts in a row that keep away from a configuration that goes on failing. */
const skipMax = 8;

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
  let latest: Known;
  let confirmed: Known;
  let waiting: Known;
  /** Fingerprints of what the slots hold. */
  const slots = ['', ''];
  /** The mark, a fingerprint or '': what was applied and has not reached `ready`. With its receipt. */
  let trying = '';
  let receipt: unknown;
  /** Fingerprint of the configuration that failed, or '', and how many runs in a row did with it. */
  let failed = '';
  let failures = 0;
  /** Starts that keep away from it, of no use without one, and whether this is one of them. */
  let skip = 0;
  let isSkipping = false;

  const player = {
    user,
    prefix,
    owner,
    active: undefined as Known,
    /** `start` or `setUser` has not completed: what arrives is applied. */
    isEntering: false,
    /** The run before applied a configuration and did not reach `ready`. */
    recovered: false,
    /** What the server is said to be held. */
    held: (): Entries | undefined => (latest ?? confirmed ?? baseline)?.entriesById,

    /** Reads what is stored, and applies what the game begins with. */
    load() {
      // In a form that this kit does not write it does not count.
      void items.inOrder(readState);
      void items.inOrder(enterIndex);
      return items.inOrder(() => {
        if (trying) countFailure();
        isSkipping = skip > 0;
        if (isSkipping) skip -= 1;
        return apply(choose());
      });
    },

    /** A complete response: it becomes the latest. @returns whether that is another than before */
    take: (entries: Entries, origin: Origin) =>
      items.inOrder(async () => {
        const before = latest;
        const taken = makeConfiguration(entries, origin, appVersion, 'server');
        const { fingerprint } = taken;
        const known = [player.active, latest, confirmed].find((each) => is(each, fingerprint));
        // One that comes too late for this start says nothing of it, whether anything differs or not.
        const receipt = (player.isEntering && taken.receipt) || known?.receipt;
        latest = Object.assign(known ?? taken, taken, { receipt });
        if (failed !== fingerprint) failed = '';
        await writeSlot(latest, confirmed);
        await writeState();
        await consider(latest);
        return !is(before, fingerprint);
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
        trying = '';
        if (is(active, failed)) failed = '';
        if (active.source !== 'baseline') {
          confirmed = active;
          await writeSlot(active, latest);
        }
        report(active.receipt, true);
        active.receipt = undefined;
        await writeState();
      });
    },

    /** The run leaves this player, which is no crash. */
    leave: () =>
      items.inOrder(() => {
        trying = '';
        return writeState();
      }),
  };

  const countFailure = () => {
    failures = failed === trying ? failures + 1 : 1;
    failed = trying;
    skip = Math.min(2 ** (failures - 1), skipMax);
    player.recovered = true;
    report(receipt, false);
    log(run, 'recovered');
  };

  /** What the game begins with. */
  const choose = (): Known => {
    const usable = [latest, confirmed].filter((each) => each && !is(each, failed));
    const own = usable.find((each) => each?.appVersion === appVersion);
    if (own && (own.store !== baseline?.store || own.sequence >= baseline.sequence)) return own;
    return baseline ?? usable[0];
  };

  /** Whether what has come waits, or is applied. */
  const consider = async (next: Configuration) => {
    const before = waiting;
    waiting = undefined;
    if (next === player.active || (isSkipping && is(next, failed))) return;
    if (player.isEntering) return apply(next);
    if (run.autoActivate) return applyAloud(next);
    waiting = next;
    if (before !== next) emit('waiting', player.active, next);
  };

  const applyAloud = async (next: Configuration) => {
    const { active } = player;
    await apply(next);
    emit('activated', active, next);
  };

  /** The mark is stored before the values change. */
  const apply = async (next: Known) => {
    const isSafe = !next || is(confirmed, next.fingerprint) || is(baseline, next.fingerprint);
    trying = isSafe ? '' : next.fingerprint;
    receipt = next?.receipt;
    waiting = undefined;
    await writeState();
    player.active = next;
  };

  const writeState = () => {
    const marks = { trying, receipt, failed, failures, skip };
    const { aheadMs: ahead } = run;
    return items.save(`${prefix}-state`, { ...marks, owner, latest, confirmed, ahead });
  };

  /** Stores one in a slot which the other does not need. */
  const writeSlot = async ({ fingerprint, entriesById }: Configuration, other: Known) => {
    if (slots.includes(fingerprint)) return;
    const slot = is(other, slots[0]) ? 1 : 0;
    const isStored = await items.save(`${prefix}-${slot}`, [...entriesById.values()]);
    slots[slot] = isStored ? fingerprint : '';
  };

  const readState = async () => {
    const state = await items.load(`${prefix}-state`);
    if (state?.owner !== owner) return;
    ({ trying, receipt, failed, failures, skip } = state);
    run.aheadMs ??= state.ahead;
    for (const slot of [0, 1]) {
      const entriesById = byId((await items.load(`${prefix}-${slot}`)) ?? []);
      const fingerprint = fingerprintOf(entriesById);
      slots[slot] = fingerprint;
      const isLatest = is(state.latest, fingerprint);
      const isConfirmed = is(state.confirmed, fingerprint);
      const origin = isLatest ? state.latest : state.confirmed;
      const stored: Configuration = { ...origin, receipt: undefined, entriesById, source: 'cache' };
      if (isLatest) latest = stored;
      if (isConfirmed) confirmed = stored;
    }
  };

  const enterIndex = async () => {
    const stored: string[] = (await items.load('index')) ?? [];
    const others = stored.filter((each) => each !== prefix);
    for (const fallen of others.splice(playersMax - 1))
      for (const item of ['state', 0, 1, 'events']) await items.save(`${fallen}-${item}`);
    await items.save('index', [prefix, ...others]);
  };

  return player;
}

function is(one: Known, fingerprint: string | undefined): boolean {
  return one?.fingerprint === fingerprint;
}
