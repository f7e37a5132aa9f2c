/**
 * Streams beside random edits. After each of them every stream has told its player what single requests answer now, and
 * nothing that they had answered before.
 */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Environment,
  expectDone,
  type Key,
  makeEnvironment,
  makeKey,
} from '../server/environment.js';
import type { RunningServer } from '../server/server-process.js';
import { answerOf } from '../specification/held-contents.js';
import { RandomEdits } from '../specification/random-edits.js';
import { putTimed } from '../specification/timed-content.js';
import { StreamPlayer } from './stream-player.js';

export interface StreamRoundsOptions {
  readonly server: RunningServer;
  readonly random: () => number;
  readonly edits: number;
  readonly streams: number;
  /** How far ahead the edge of a window is set, milliseconds: long enough to tell all streams of the edit before it. */
  readonly edgeMs: number;
}

export interface StreamFigures {
  readonly edits: Readonly<Record<string, number>>;
  /** Answers that told of something, beside the first of each connection. */
  readonly wakes: number;
  readonly connections: number;
  /** Answers of streams held to single responses. */
  readonly compared: number;
  /** Streams that an edge of a window has changed. */
  readonly passedEdges: number;
  readonly revoked: number;
  readonly seconds: number;
}

export interface StreamRounds {
  readonly figures: StreamFigures;
  /** What a player may not see; the first of them. */
  readonly violations: readonly string[];
}

/** Followed by everybody and different after each edit: who was told of it was told of all that came before. */
const sentinel = 'sentinel';
const named = ['alpha', 'Beta', 'lines-late', 'timed', 'never-there', sentinel];
/** Without the edges of windows, since nobody can say when a note of one has come that has no data. */
const noted = ['alpha', 'Beta', 'gamma', 'delta.1', 'lines-a', 'lines-late', sentinel];
/** Of so many edits one is the edge of a window, and one the end of the key of all streams. */
const windowEvery = 16;
const revokeEvery = 49;
const violationsMax = 20;
const toldMsMax = 60_000;

export async function streamRounds(options: StreamRoundsOptions): Promise<StreamRounds> {
  const rounds = await Rounds.start(options);
  try {
    return await rounds.run();
  } finally {
    rounds.close();
  }
}

class Rounds {
  readonly #options: StreamRoundsOptions;
  readonly #game: Environment;
  readonly #edits: RandomEdits;
  readonly #violations: string[] = [];
  readonly #kinds: Record<string, number> = {};
  #players: StreamPlayer[] = [];
  /** Of all streams; single requests keep the environment's first. */
  #key: Key;
  #marks = 0;
  #counts = { wakes: 0, connections: 0, compared: 0, passedEdges: 0, revoked: 0 };
  /** The edit that is checked. */
  #edit = 'start';

  static async start(options: StreamRoundsOptions): Promise<Rounds> {
    const { server, random } = options;
    const game = await makeEnvironment(server);
    const edits = await RandomEdits.start(game, await makeEnvironment(server), random);
    return new Rounds(options, game, edits, await makeKey(server, game.id));
  }

  private constructor(
    options: StreamRoundsOptions,
    game: Environment,
    edits: RandomEdits,
    key: Key,
  ) {
    this.#options = options;
    this.#game = game;
    this.#edits = edits;
    this.#key = key;
  }

  async run(): Promise<StreamRounds> {
    const startedMs = performance.now();
    const { edits, streams } = this.#options;
    await this.#mark();
    this.#open(streams);
    await this.#check(await this.#mark());
    for (let at = 0; at < edits && this.#violations.length < violationsMax; at += 1) {
      if (at % windowEvery === windowEvery - 1) await this.#window();
      else if (at % revokeEvery === revokeEvery - 1) await this.#revoke();
      else await this.#anEdit(at);
    }
    this.#gather(this.#players);
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
    const figures = { edits: this.#kinds, ...this.#counts, seconds };
    return { figures, violations: this.#violations };
  }

  close(): void {
    for (const { client } of this.#players) client.close();
    this.#edits.close();
  }

  async #anEdit(at: number): Promise<void> {
    const { server, random } = this.#options;
    // Some lose their connections, and come back with what they have.
    for (const { client, isNotified } of this.#players) {
      if (!isNotified && random() < 0.01) client.cut();
    }
    const { kind } = await this.#edits.make(server, '');
    this.#begin(`edit ${at}, ${kind}`, kind);
    await this.#check(await this.#mark());
  }

  /** A rule that begins or ends in a moment, for some of the players. */
  async #window(): Promise<void> {
    this.#begin('edge of a window', 'window');
    const { edgeMs } = this.#options;
    const atMs = Date.now() + edgeMs;
    await putTimed(this.#game, this.#options.random, new Date(atMs).toISOString());
    const sequence = await this.#mark();
    await this.#reached(sequence);
    await pause(Math.max(0, atMs + 1 - Date.now()));
    const ids = await this.#ids();
    await this.#each(async (player, agent) => {
      const single = (await player.ask(ids, sequence, agent)).get('timed');
      const expected = single === undefined ? null : answerOf(single);
      const { client, isNotified } = player;
      const isTold = (): boolean => client.held.answer('timed') === expected;
      if (isNotified || isTold()) return;
      this.#counts.passedEdges += 1;
      await this.#within('it was told of the edge', player, client.until(isTold));
    });
    await this.#check(await this.#mark());
  }

  /** The key that everybody uses is revoked; the streams end with it, and their players come back with another one. */
  async #revoke(): Promise<void> {
    this.#begin('revocation', 'revocation');
    const { server } = this.#options;
    const old = this.#players;
    const { id } = this.#key;
    this.#key = await makeKey(server, this.#game.id);
    const { sequence } = expectDone(
      await server.admin('DELETE', `${this.#game.path}/keys/${id}`),
    ).json;
    await this.#edits.make(server, '');
    await Promise.all(
      old.map((player) => {
        const ended = player.client.until(() => player.client.end === 'rejected');
        return this.#within('its stream ended with its key', player, ended);
      }),
    );
    for (const { client } of old) {
      if (client.sequence >= sequence) this.#say(`a revoked key was told of ${client.sequence}`);
    }
    this.#counts.revoked += old.length;
    this.#gather(old);
    this.#open(old.length);
    await this.#check(await this.#mark());
  }

  #open(count: number): void {
    this.#players = Array.from({ length: count }, (_, at) => {
      // When they come back is no part of what the seed draws: they do so beside the edits.
      const { random } = Math;
      const options = { game: this.#game, key: this.#key.key, random };
      return new StreamPlayer({ ...options, ...wantsOf(at), context: contextOf(at) });
    });
    for (const { client } of this.#players) client.open();
  }

  /** @returns a sequence that whoever follows the sentinel is told of */
  async #mark(): Promise<number> {
    this.#marks += 1;
    return (await this.#game.put(sentinel, `{"mark":${this.#marks}}`)).sequence;
  }

  async #reached(sequence: number): Promise<void> {
    await Promise.all(
      this.#players.map((player) =>
        this.#within(`it was told of ${sequence}`, player, player.client.reached(sequence)),
      ),
    );
  }

  async #check(sequence: number): Promise<void> {
    await this.#reached(sequence);
    const ids = await this.#ids();
    await this.#each(async (player, agent) => {
      player.check(await player.ask(ids, sequence, agent), (what) => {
        this.#say(`${JSON.stringify(player.client.context)}: ${what}`);
      });
      for (const violation of player.client.violations.splice(0)) this.#say(violation);
      this.#counts.compared += 1;
    });
  }

  async #ids(): Promise<readonly string[]> {
    return Object.keys((await this.#game.catalog()).json.catalog);
  }

  /** A few at a time, over connections that are open for no longer: the server closes what is idle. */
  async #each(work: (player: StreamPlayer, agent: Agent) => Promise<void>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    try {
      await Promise.all(this.#players.map((player) => work(player, agent)));
    } finally {
      agent.destroy();
    }
  }

  async #within(what: string, { client }: StreamPlayer, done: Promise<void>): Promise<void> {
    const late = new AbortController();
    const isDone = await Promise.race([
      done.then(() => true),
      pause(toldMsMax, false, { signal: late.signal }).catch(() => true),
    ]).catch((fault: Error) => {
      this.#say(`${JSON.stringify(client.context)}: ${fault.message} ${what}`);
      return true;
    });
    late.abort();
    if (!isDone)
      this.#say(`${JSON.stringify(client.context)}: not before ${toldMsMax} ms: ${what}`);
  }

  #begin(edit: string, kind: string): void {
    this.#edit = edit;
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
  }

  #gather(players: readonly StreamPlayer[]): void {
    for (const { wakes, client } of players) {
      this.#counts.wakes += wakes;
      this.#counts.connections += client.connections;
    }
  }

  #say(what: string): void {
    if (this.#violations.length < violationsMax) this.#violations.push(`${this.#edit}: ${what}`);
  }
}

/** Players who differ in all that a rule can ask for. */
function contextOf(at: number): Readonly<Record<string, unknown>> {
  const countries = ['US', 'CA', 'DE', 'FR'];
  const versions = [undefined, '0.9.0', '1.4.9', '1.5.0', '2.0.0'];
  const v = versions[at % versions.length];
  const p = { country: countries[at % countries.length], level: (at * 3) % 71 };
  return at === 0 ? {} : { u: `user-${at}`, p, ...(v === undefined ? {} : { v }) };
}

/** What a stream is opened with, in all combinations. */
function wantsOf(
  at: number,
): Pick<ConstructorParameters<typeof StreamPlayer>[0], 'ids' | 'mode' | 'bytesMax'> {
  return {
    ...(at % 3 === 1 ? { ids: named } : {}),
    ...(at % 4 === 2 ? { mode: 'notify' as const, ids: noted } : {}),
    ...(at % 5 === 3 ? { bytesMax: 200 } : {}),
  };
}
