/**
 * Clients of the specification through the life of a release. After each transition every client does one round, and then
 * holds what its membership says: all that is live, or all of the release.
 */
import { Agent } from 'node:http';
import type { ReleaseState } from '../../../src/contract/schemas/release.js';
import { eventually } from '../eventually.js';
import { type Environment, makeEnvironment } from '../server/environment.js';
import { endHolds, isIn, type Ramp, rampAt, TestedRelease } from '../server/release.js';
import type { LoadoutServer } from '../server/server-process.js';
import { type Caller, type Comparison, type Server, SpecificationClient } from './client.js';
import { callersOf, endsOf } from './release-callers.js';
import { editsOfRelease, liveItems, releaseItemIds } from './release-items.js';

export interface ReleaseRoundsOptions {
  /** They serve one store; each transition and each client goes to one of them. */
  readonly servers: readonly LoadoutServer[];
  /** Of the database that they share; null: an embedded store. */
  readonly database: string | null;
  readonly random: () => number;
  /** Each has two clients, one of each way to compare. */
  readonly users: number;
}

export interface ReleaseRounds {
  /** By transition: how many clients held the release, and how many items were fetched. */
  readonly figures: readonly string[];
  /** What a client may not hold; the first of them. */
  readonly faults: readonly string[];
}

const faultsMax = 20;
const ramped = 'static';
const comparisons: readonly Comparison[] = ['hash of the response', 'h of the catalog'];

export async function releaseRounds(options: ReleaseRoundsOptions): Promise<ReleaseRounds> {
  const rounds = await Rounds.start(options);
  const { release } = rounds;
  const step = async (): Promise<void> => {
    const { percent } = await release.show();
    await endHolds(options.servers[0] as LoadoutServer, options.database);
    await eventually('the next step begins', 30_000, async () => {
      return (await release.show()).percent !== percent;
    });
  };
  await rounds.look('nothing', 'draft');
  for (let run = 0; run < 2; run++) {
    await rounds.act('start', 'ramping');
    await rounds.does('step', step, 'ramping');
    await rounds.act('pause', 'paused');
    await rounds.act('resume', 'ramping');
    if (run > 0) break;
    await rounds.act('stop', 'stopped');
    await release.act('submit');
  }
  await rounds.does('step', step, 'ramping');
  await rounds.act('live', 'live');
  await rounds.act('revert', 'reverted');
  rounds.end();
  return rounds;
}

class Rounds implements ReleaseRounds {
  readonly figures: string[] = [];
  readonly faults: string[] = [];
  readonly release: TestedRelease;
  readonly #options: ReleaseRoundsOptions;
  readonly #game: Environment;
  readonly #agents: ReadonlyMap<LoadoutServer, Agent>;
  readonly #clients: readonly SpecificationClient[];
  /** What each client holds at either end, by id. */
  readonly #ends: Record<'before' | 'after', readonly ReadonlyMap<string, string>[]>;
  #membersBefore: ReadonlySet<string> = new Set();
  #ramp: Ramp | null = null;
  #salt: string | null = null;

  static async start(options: ReleaseRoundsOptions): Promise<Rounds> {
    const first = options.servers[0] as LoadoutServer;
    const [game, before, after] = [
      await makeEnvironment(first),
      await makeEnvironment(first),
      await makeEnvironment(first),
    ];
    for (const environment of [game, before, after]) await liveItems(environment);
    await editsOfRelease(after, true);
    const changes = await editsOfRelease(game, false);
    const steps = [10, 40, 100].map((percent) => ({ percent, holdMinutes: 600 }));
    const release = await TestedRelease.make(game, { changes, steps });
    const callers = callersOf(options.users);
    const ends = { before: await endsOf(before, callers), after: await endsOf(after, callers) };
    return new Rounds(options, { game, release, callers, ends });
  }

  private constructor(
    options: ReleaseRoundsOptions,
    parts: {
      game: Environment;
      release: TestedRelease;
      callers: readonly Caller[];
      ends: Record<'before' | 'after', readonly ReadonlyMap<string, string>[]>;
    },
  ) {
    this.#options = options;
    this.#game = parts.game;
    this.release = parts.release;
    this.#agents = new Map(
      options.servers.map((server) => [server, new Agent({ keepAlive: true, maxSockets: 8 })]),
    );
    this.#clients = parts.callers.flatMap((caller) =>
      comparisons.map((comparison) => new SpecificationClient(caller, comparison)),
    );
    this.#ends = parts.ends;
  }

  async act(act: Parameters<TestedRelease['act']>[0], state: ReleaseState): Promise<void> {
    await this.does(act, () => this.release.on(this.#server()).act(act), state);
  }

  async does(name: string, work: () => Promise<unknown>, state: ReleaseState): Promise<void> {
    await work();
    await this.look(name, state);
  }

  /** A round of every client, and a look at what it holds then. */
  async look(name: string, state: ReleaseState): Promise<void> {
    const shown = await this.release.show();
    if (shown.state !== state) this.#say(name, `the release is ${shown.state}`);
    const minSequence = shown.sequence ?? undefined;
    const all = await Promise.all(this.#clients.map((client) => this.#round(client, minSequence)));
    this.#lookAtRamp(name, state);
    let held = 0;
    for (const [at, client] of this.#clients.entries()) {
      const isMember = state === 'live' || isIn(this.#ramp, client.caller.u);
      if (isMember) held += 1;
      await this.#compare(name, client, this.#endOf(at, state), minSequence);
    }
    const fetched = all.reduce((sum, count) => sum + count, 0);
    this.figures.push(`${name}: ${held} of ${all.length} hold it, ${fetched} fetched`);
    if (this.faults.length >= faultsMax) throw new Error(this.faults.join('\n'));
  }

  end(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  /** All servers deliver the same ramp, and users that were in before are in. */
  #lookAtRamp(name: string, state: ReleaseState): void {
    const ramps = this.#options.servers.map((one) => rampAt(one, this.#game.id, ramped));
    if (new Set(ramps.map((ramp) => JSON.stringify(ramp))).size > 1) {
      this.#say(name, `servers differ in the ramp: ${JSON.stringify(ramps)}`);
    }
    this.#ramp = ramps[0] ?? null;
    const isRamping = state === 'ramping' || state === 'paused';
    if (isRamping !== (this.#ramp !== null)) this.#say(name, `it is ${state}, and ramps otherwise`);
    if (this.#ramp === null) return;
    const { salt } = this.#ramp;
    if (salt !== (this.#salt ?? salt)) this.#say(name, 'it draws other users than before');
    this.#salt = salt;
    const users = this.#clients.map(({ caller }) => caller.u ?? '');
    const members = new Set(users.filter((u) => isIn(this.#ramp, u)));
    // A release that starts again begins with its first step; the users that it had are among those of the second.
    if (name !== 'start' && [...this.#membersBefore].some((u) => !members.has(u))) {
      this.#say(name, 'users have left');
    }
    this.#membersBefore = members;
  }

  async #round(client: SpecificationClient, minSequence: number | undefined): Promise<number> {
    return (await client.round(this.#reads(minSequence))).fetched.length;
  }

  #endOf(at: number, state: ReleaseState): ReadonlyMap<string, string> {
    const user = Math.floor(at / comparisons.length);
    const client = this.#clients[at] as SpecificationClient;
    const isMember = state === 'live' || isIn(this.#ramp, client.caller.u);
    return this.#ends[isMember ? 'after' : 'before'][user] as ReadonlyMap<string, string>;
  }

  async #compare(
    name: string,
    client: SpecificationClient,
    end: ReadonlyMap<string, string>,
    minSequence: number | undefined,
  ): Promise<void> {
    const said = (id: string) => `${id}, ${JSON.stringify(client.caller)}, ${client.comparison}`;
    for (const id of releaseItemIds) {
      const expected = end.get(id) ?? null;
      const asked = await client.ask(this.#reads(minSequence), id);
      if (asked !== expected)
        this.#say(name, `${said(id)}: is given ${asked} in place of ${expected}`);
      // What only the release has is not in the catalog until it is live: these clients do not see it.
      if (id === 'added' && this.#ramp !== null) continue;
      const item = client.held.get(id)?.item ?? null;
      if (item !== expected) this.#say(name, `${said(id)}: holds ${item} in place of ${expected}`);
    }
  }

  #server(): LoadoutServer {
    const { servers, random } = this.#options;
    return servers[Math.floor(random() * servers.length)] as LoadoutServer;
  }

  #reads(minSequence: number | undefined): Server {
    const server = this.#server();
    return { game: this.#game.on(server), agent: this.#agents.get(server) as Agent, minSequence };
  }

  #say(name: string, what: string): void {
    if (this.faults.length < faultsMax) this.faults.push(`${name}: ${what}`);
  }
}
