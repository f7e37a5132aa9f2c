/** The configurations of one player: which are stored, which is active, which waits, and what a crash changes. */
import { checksum } from './checksum.js';
import { byId, type Configuration, type Entries, makeConfiguration, type Origin } from './configuration.js';
import type { ItemStore } from './item-store.js';
import { log, type Run } from './run.js';

/** Players whose items are kept. */
const playersMax = 8;
/** Starts in a row that keep away from a configuration that goes on failing. */
const skipMax = 8;

type Known = Configuration | null;

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
  let mark = { trying: '', receipt: undefined as unknown };
  let failure = { failed: '', failures: 0, skip: 0 };
  /** `skip` as the run began, and whether a mark was found. */
  let isSkipping = false;
  let hasRecovered = false;

  const player = {
    user,
    prefix,
    owner,
    active: null as Known,
    latest: null as Known,
    /** `start` or `setUser` has not completed: what arrives is applied. */
    isEntering: false,
    hasRecovered: () => hasRecovered,
    /** What the server is said to be held. */
    held: (): Entries | undefined => (player.latest ?? confirmed ?? baseline)?.entries,

    /** Reads what is stored, and applies what the game begins with. */
    load: () =>
      items.inOrder(async () => {
        await enterIndex();
        await readState();
        if (mark.trying) countFailure();
        isSkipping = failure.skip > 0;
        if (isSkipping) failure.skip -= 1;
        await apply(choose());
      }),

    /** A complete response: it becomes the latest. @returns whether that is another than before */
    take: (entries: Entries, origin: Origin) =>
      items.inOrder(async () => {
        const taken = makeConfiguration(entries, origin, appVersion, 'server');
        const { fingerprint } = taken;
        const isSame = (each: Known) => each?.fingerprint === fingerprint;
        const hasChanged = !isSame(player.latest);
        const known = [player.active, player.latest, confirmed].find(isSame);
        const { receipt = known?.receipt, parsed } = { parsed: known?.parsed, ...origin };
        const latest = known ? Object.assign(known, taken, parsed && { parsed }, { receipt }) : taken;
        player.latest = latest;
        if (failure.failed !== fingerprint) forgetFailure();
        await writeSlot(latest, confirmed);
        await writeState();
        await consider(latest);
        return hasChanged;
      }),

    /** Applies what waits. @returns whether something did */
    activate: () =>
      items.inOrder(async () => {
        const { active } = player;
        const next = waiting;
        if (!next) return false;
        await apply(next);
        emit('activated', active, next);
        return true;
      }),

    /** What is active now is confirmed. */
    ready() {
      const { active } = player;
      return items.inOrder(async () => {
        if (!active) return;
        mark.trying = '';
        if (failure.failed === active.fingerprint) forgetFailure();
        if (active.source !== 'baseline') {
          confirmed = active;
          await writeSlot(active, player.latest);
        }
        if (active.receipt !== undefined) report(active.receipt, true);
        active.receipt = undefined;
        await writeState();
      });
    },

    /** The run leaves this player, which is no crash. */
    leave: () =>
      items.inOrder(() => {
        mark.trying = '';
        return writeState();
      }),
  };

  const countFailure = () => {
    const { trying, receipt } = mark;
    const failures = failure.failed === trying ? failure.failures + 1 : 1;
    failure = { failed: trying, failures, skip: Math.min(2 ** (failures - 1), skipMax) };
    hasRecovered = true;
    if (receipt !== undefined) report(receipt, false);
    log(run, 'recovered', 'The run before did not reach ready.');
  };

  const forgetFailure = () => {
    failure = { failed: '', failures: 0, skip: 0 };
    isSkipping = false;
  };

  const choose = (): Known => {
    const stored = [player.latest, confirmed].filter(
      (each) => each && each.fingerprint !== failure.failed,
    );
    const chosen = stored.find((each) => each?.appVersion === appVersion);
    if (!baseline) return chosen ?? stored[0] ?? null;
    const isNewer = chosen?.store !== baseline.store || chosen.sequence >= baseline.sequence;
    return chosen && isNewer ? chosen : baseline;
  };

  /** Applies the latest, which the server has just given, or lets it wait. */
  const consider = async (latest: Configuration) => {
    const { active } = player;
    const before = waiting;
    waiting = null;
    if (latest === active || (isSkipping && latest.fingerprint === failure.failed)) return;
    if (player.isEntering || run.autoActivate) {
      const isQuiet = player.isEntering;
      await apply(latest);
      if (!isQuiet) emit('activated', active, latest);
    } else {
      waiting = latest;
      if (before !== latest) emit('waiting', active, latest);
    }
  };

  /** The mark is stored before the values change. */
  const apply = async (next: Known) => {
    const trying = next?.fingerprint ?? '';
    const isSafe = [confirmed, baseline].some((each) => each?.fingerprint === trying);
    mark = { trying: isSafe ? '' : trying, receipt: next?.receipt };
    waiting = null;
    await writeState();
    player.active = next;
  };

  /** Stores one in a slot which the other does not need. */
  const writeSlot = async (one: Configuration, other: Known) => {
    if (slots.includes(one.fingerprint)) return;
    const slot = slots[0] === other?.fingerprint ? 1 : 0;
    slots[slot] = '';
    if (await items.write(`${prefix}-${slot}`, [...one.entries.values()]))
      slots[slot] = one.fingerprint;
  };

  const writeState = () => {
    const { latest } = player;
    const { aheadMs } = run;
    return items.write(`${prefix}-state`, { owner, latest, confirmed, aheadMs, mark, failure });
  };

  const readState = async () => {
    const state = await items.read(`${prefix}-state`);
    if (state?.owner !== owner) return;
    const named: Known[] = [state.latest, state.confirmed];
    const found: Known[] = [];
    for (const slot of [0, 1]) {
      const list = await items.read(`${prefix}-${slot}`);
      if (!list) continue;
      const { fingerprint } = makeConfiguration(byId(list), state, appVersion, 'cache');
      slots[slot] = fingerprint;
      const origin = named.find((each) => each?.fingerprint === fingerprint);
      if (origin) found.push(makeConfiguration(byId(list), origin, origin.appVersion, 'cache'));
    }
    [player.latest = null, confirmed = null] = named.map(
      (each) => found.find((one) => one?.fingerprint === each?.fingerprint) ?? null,
    );
    run.aheadMs ??= state.aheadMs;
    ({ mark, failure } = state);
  };

  const enterIndex = async () => {
    const stored: string[] = (await items.read('index')) ?? [];
    const others = stored.filter((each) => each !== prefix);
    for (const fallen of others.splice(playersMax - 1))
      for (const item of ['state', 0, 1, 'events']) await items.write(`${fallen}-${item}`, undefined);
    await items.write('index', [prefix, ...others]);
  };

  return player;
}
