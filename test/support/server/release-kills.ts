/**
 * Kills processes at random moments of a release's transitions, and looks what is left: the release is before or after the
 * transition, and all of its contents with it. Each release gives every content item its number, so that half of one shows as
 * two numbers at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ReleaseState } from '../../../src/contract/schemas/release.js';
import { eventually } from '../eventually.js';
import { startNode } from '../fleet/fleet.js';
import type { Answer } from '../wire/exchange.js';
import { type Environment, expectDone, makeEnvironment } from './environment.js';
import { childrenOf, isAlive, listenersOf } from './process-tree.js';
import { endHolds, isIn, rampAt, TestedRelease } from './release.js';
import { afterOf, type Position, possible, steps, type Transition } from './release-transitions.js';
import { makeDataFolder, startServer } from './server.js';
import type { LoadoutServer } from './server-process.js';

export interface ReleaseKillsOptions {
  /** null: an embedded store of one server. */
  readonly database: string | null;
  readonly nodes: number;
  readonly random: () => number;
}

/** What is killed: a control process, one of its delivery processes, or the node that does the leader jobs. */
type Victim = 'control' | 'delivery' | 'leader';

/** As many as one combined request may ask for would slow each round down. */
const ids = Array.from({ length: 25 }, (_, at) => `content-${at}`);
const users = Array.from({ length: 12 }, (_, at) => `player-${at}`);
const settleMillisMax = 60_000;
/** Kills fall between the start of a transition and a little after its usual end. */
const overshoot = 1.3;
const firstUsualMs = 300;
const slower = 1.2;

export class ReleaseKills {
  /**
   * Rounds: answered before the kill; not answered, with the transition there afterwards, and not there; and those of a step,
   * which no request asks for.
   */
  readonly counts = { acknowledged: 0, done: 0, undone: 0, stepped: 0 };
  readonly kinds: Record<string, number> = {};
  readonly #options: ReleaseKillsOptions;
  readonly #servers: LoadoutServer[];
  readonly #usualMs = new Map<Transition, number>();
  #game: Environment;
  #release!: TestedRelease;
  /** Numbers of what is live, of what was before, and of the release. */
  #live = 0;
  #before = 0;
  #next = 0;

  static async start(options: ReleaseKillsOptions): Promise<ReleaseKills> {
    const servers: LoadoutServer[] = [];
    for (let at = 0; at < options.nodes; at++) servers.push(await startOne(options, at));
    const game = await makeEnvironment(servers[0] as LoadoutServer);
    for (const id of ids) await game.put(id, textOf(0));
    const kills = new ReleaseKills(options, servers, game);
    await kills.#makeRelease();
    return kills;
  }

  private constructor(options: ReleaseKillsOptions, servers: LoadoutServer[], game: Environment) {
    this.#options = options;
    this.#servers = servers;
    this.#game = game;
  }

  /** One transition with a kill on its way, and a look at all that is left. */
  async round(): Promise<void> {
    const before = await this.#position();
    const transition = this.#of(possible[before.state] as readonly Transition[]);
    const victims: readonly Victim[] = ['control', 'control', 'delivery', 'leader'];
    const victim = this.#of(victims);
    const name = `${transition}, ${victim}`;
    this.kinds[name] = (this.kinds[name] ?? 0) + 1;

    let isOver = false;
    const watches = this.#servers.map((server) => this.#watch(server, () => isOver));
    const answer = this.#begin(transition).catch(() => null);
    const usualMs = this.#usualMs.get(transition) ?? firstUsualMs;
    await pause(this.#options.random() * overshoot * usualMs);
    await this.#kill(victim);
    const status = (await answer)?.status ?? null;
    isOver = true;
    await Promise.all(watches);

    const expected = afterOf(before, transition);
    // A step is due as long as it is not done: the node that does the leader jobs then does it, once.
    if (transition === 'step') await this.#reaches(expected);
    const found = await this.#position();
    expect([before, expected], name).toContainEqual(found);
    const isDone = JSON.stringify(found) === JSON.stringify(expected);
    if (status === 200) expect(isDone, `${name}: it was acknowledged`).toBe(true);
    this.#usualMs.set(transition, usualMs * (status === 200 ? 1 / slower : slower));
    if (transition === 'step') this.counts.stepped += 1;
    else this.counts[status === 200 ? 'acknowledged' : isDone ? 'done' : 'undone'] += 1;
    if (isDone) this.#move(transition, found.state);
    await this.#look(found, name);
    if (possible[found.state] === undefined) await this.#makeRelease();
    else if (found.state === 'live' && this.#options.random() < 0.5) await this.#makeRelease();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
  }

  async #makeRelease(): Promise<void> {
    this.#next += 1;
    const text = textOf(this.#next);
    for (const id of ids) await this.#game.put(id, text, { publish: false });
    const changes = ids.map((id) => ({ kind: 'content', id }));
    this.#release = await TestedRelease.make(this.#game, { changes, steps });
  }

  async #position(): Promise<Position> {
    const { state, percent } = await this.#release.show();
    return { state, percent };
  }

  async #begin(transition: Transition): Promise<Answer | null> {
    if (transition !== 'step') {
      return this.#release.on(this.#of(this.#servers)).tryAct(transition);
    }
    await endHolds(this.#servers[0] as LoadoutServer, this.#options.database);
    return null;
  }

  async #reaches(position: Position): Promise<void> {
    await eventually(`it is ${position.state} ${position.percent}`, settleMillisMax, async () => {
      return JSON.stringify(await this.#position()) === JSON.stringify(position);
    });
  }

  async #kill(victim: Victim): Promise<void> {
    const at = victim === 'leader' ? await this.#leader() : this.#at();
    const server = this.#servers[at] as LoadoutServer;
    if (victim === 'delivery') {
      const listeners = listenersOf(server.pid, server.deliveryPort);
      const killed = this.#of(listeners);
      process.kill(killed, 'SIGKILL');
      await eventually('another one listens', settleMillisMax, () => {
        const now = listenersOf(server.pid, server.deliveryPort);
        return !now.includes(killed) && now.length === listeners.length;
      });
      return;
    }
    const children = childrenOf(server.pid);
    server.signal('SIGKILL');
    await server.exit;
    await eventually('the children end', settleMillisMax, () => !children.some(isAlive));
    const started = await startOne(this.#options, at, server.data);
    this.#servers[at] = started;
    const first = this.#servers[0] as LoadoutServer;
    this.#game = this.#game.on(first);
    this.#release = this.#release.on(first);
  }

  /** The node that does the leader jobs; any one, while none says so. */
  async #leader(): Promise<number> {
    const metrics = await Promise.all(
      this.#servers.map((server) => server.admin('GET', '/metrics')),
    );
    const at = metrics.findIndex(({ text }) => /^loadout_chores 1$/m.test(text));
    return at < 0 ? this.#at() : at;
  }

  #move(transition: Transition, state: ReleaseState): void {
    if (state === 'live') [this.#before, this.#live] = [this.#live, this.#next];
    if (transition === 'revert') this.#live = this.#before;
  }

  /** Every server delivers what the state says, whole, to users that are in and to the others. */
  async #look({ state }: Position, name: string): Promise<void> {
    const isRamping = state === 'ramping' || state === 'paused';
    const least = { 'x-min-sequence': String((await this.#release.show()).sequence ?? 0) };
    for (const server of this.#servers) {
      const game = this.#game.on(server);
      const catalog = expectDone(await game.catalog(least)).json.catalog;
      const dynamic = ids.filter((id) => catalog[id]?.d === true);
      expect(dynamic, name).toHaveLength(isRamping ? ids.length : 0);
      const ramps = ids.map((id) => rampAt(server, game.id, id));
      expect(new Set(ramps.map((ramp) => JSON.stringify(ramp))).size, name).toBe(1);
      const ramp = ramps[0] ?? null;
      expect(ramp !== null, name).toBe(isRamping);
      for (const u of users) {
        const expected = isIn(ramp, u) ? this.#next : this.#live;
        expect(numberOf(await this.#read(game, u)), `${name}, ${state}, ${u}`).toBe(expected);
      }
    }
  }

  /** Users read until it is over: no response holds parts of two. */
  async #watch(server: LoadoutServer, isOver: () => boolean): Promise<void> {
    const game = this.#game.on(server);
    for (let at = 0; !isOver(); at++) {
      let answer: Answer;
      try {
        answer = await this.#read(game, users[at % users.length] as string);
      } catch {
        // The process is gone: as long as none listens there is nothing to be read.
        if (!isAlive(server.pid)) return;
        continue;
      }
      if (answer.status === 200) numberOf(answer);
    }
  }

  #read(game: Environment, u: string): Promise<Answer> {
    return game.combine(ids, { u });
  }

  #at(): number {
    return Math.floor(this.#options.random() * this.#servers.length);
  }

  #of<T>(list: readonly T[]): T {
    return list[Math.floor(this.#options.random() * list.length)] as T;
  }
}

function startOne(
  { database }: ReleaseKillsOptions,
  at: number,
  data: string = makeDataFolder(),
): Promise<LoadoutServer> {
  if (database === null) return startServer({ data, listeners: 2 });
  return startNode({ name: `node-${at}`, url: database, data });
}

/** All of them carry one number. */
function numberOf(answer: Answer): number {
  const items: readonly { number: number }[] = Object.values(expectDone(answer).json);
  const numbers = new Set(items.map(({ number }) => number));
  expect([...numbers]).toHaveLength(1);
  return [...numbers][0] as number;
}

function textOf(number: number): string {
  return JSON.stringify({ number });
}
