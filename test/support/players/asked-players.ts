/** Players of a recorded day: they ask the delivery port for every content item, and each response is kept with its moment. */
import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { eventually } from '../eventually.js';
import type { Environment } from '../server/environment.js';
import { type DayTexts, itemIds } from './day-texts.js';

/** A user context, as a game sends it. */
export type AskingPlayer = Readonly<Record<string, unknown>>;

/** What one player was given at one moment. */
export interface Asked {
  /** Place in the players of the day. */
  readonly player: number;
  /** Milliseconds since the epoch; nothing was edited, opened or closed until the last response. */
  readonly atMs: number;
  /** By place in `itemIds`: SHA-256 of the response; null: 404. */
  readonly digests: readonly (string | null)[];
}

/** How many players ask at once. */
const abreast = 8;
/** No clock of this machine is read so late. */
const clockMarginMs = 50;
/** More rejections than responses, and than these, are a fault. */
const overloadedMax = 1_000;

const offsets = [-480, -60, 0, 60, 345, 540];
const countries = ['DE', 'FR', 'CA', 'US'];

/** Players with and without a user id, of several countries, levels, versions and clocks. */
export function dayPlayers(count: number): AskingPlayer[] {
  return Array.from({ length: count }, (_, at) => ({
    ...(at % 20 === 0 ? {} : { u: `player-${at}` }),
    p: { country: countries[at % 4], level: at % 13, utcOffset: offsets[at % offsets.length] },
    ...(at % 5 === 3
      ? { v: '0.9.0' }
      : at % 5 === 2
        ? { v: '1.7.0' }
        : at % 5 === 1
          ? { v: '2.1.0' }
          : {}),
  }));
}

export const playerOffsets: readonly number[] = offsets;

/** Lets the clock go on, so that a moment lies strictly between two writes, whichever process reads the time. */
export async function clockGoesOn(): Promise<void> {
  const untilMs = Date.now() + clockMarginMs;
  await eventually('the clock goes on', 5_000, async () => Date.now() > untilMs);
}

export class AskedPlayers {
  readonly players: readonly AskingPlayer[];
  readonly asked: Asked[] = [];
  /** Each response once, by its digest. */
  readonly bodies = new Map<string, string>();
  /** Times that a player asked again, for a window opened or closed meanwhile. */
  askedAgain = 0;
  /** Times that a player asked again, for the server had too much to do, as on a machine that others use too. */
  overloaded = 0;
  readonly #game: Environment;
  readonly #texts: DayTexts;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: abreast });

  constructor(game: Environment, texts: DayTexts, players: readonly AskingPlayer[]) {
    this.#game = game;
    this.#texts = texts;
    this.players = players;
  }

  /** @param sequence that every response must have seen */
  async askAll(sequence: number): Promise<void> {
    const waiting = [...this.players.keys()];
    const work = async (): Promise<void> => {
      for (let player = waiting.pop(); player !== undefined; player = waiting.pop()) {
        this.asked.push(await this.#ask(player, sequence));
      }
    };
    await Promise.all(Array.from({ length: abreast }, work));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(player: number, sequence: number): Promise<Asked> {
    for (;;) {
      const atMs = Date.now();
      const digests = await this.#responses(player, sequence);
      if (digests === null) {
        this.overloaded += 1;
        if (this.overloaded > this.asked.length + overloadedMax) throw new Error('overloaded');
        await clockGoesOn();
        continue;
      }
      const isSteady = !this.#texts.hasEdge(atMs - clockMarginMs, Date.now() + clockMarginMs);
      if (isSteady) return { player, atMs, digests };
      this.askedAgain += 1;
      await clockGoesOn();
    }
  }

  /** By place in `itemIds`; null: the server had too much to do for one of them. */
  async #responses(player: number, sequence: number): Promise<(string | null)[] | null> {
    const digests: (string | null)[] = [];
    for (const id of itemIds) {
      const digest = await this.#response(id, player, sequence);
      if (digest === 'overloaded') return null;
      digests.push(digest);
    }
    return digests;
  }

  async #response(id: string, player: number, sequence: number): Promise<string | null> {
    const path = `/api/v1/config/${id}/dynamic`;
    const least = { 'x-min-sequence': String(sequence) };
    const body = JSON.stringify(this.players[player]);
    const { status, text } = await this.#game.ask('POST', path, body, least, this.#agent);
    if (status === 404) return null;
    if (status === 503 && text.includes('"code":"overloaded"')) return 'overloaded';
    if (status !== 200) throw new Error(`${id} for player ${player}: ${status} ${text}`);
    const digest = createHash('sha256').update(text).digest('hex');
    this.bodies.set(digest, text);
    return digest;
  }
}
