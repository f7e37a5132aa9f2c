/** A day of edits, compressed to minutes, on a running server: after each edit all players ask for every content item. */
import { type Environment, makeEnvironment } from '../server/environment.js';
import type { LoadoutServer } from '../server/server-process.js';
import {
  type Asked,
  AskedPlayers,
  clockGoesOn,
  dayPlayers,
  playerOffsets,
} from './asked-players.js';
import { DayEdits, Rejected } from './day-edits.js';
import { DayExperiments, DayReleases } from './day-releases.js';
import { DayTexts } from './day-texts.js';

export interface DayOptions {
  readonly server: LoadoutServer;
  /** url; null: the embedded store of the server. */
  readonly database: string | null;
  readonly random: () => number;
  readonly players: number;
  /** How often all players ask. */
  readonly rounds: number;
}

/** What is so after one edit and until the next. */
interface Between {
  readonly edit: string;
  /** Places in `asked` from here on belong to it. */
  readonly from: number;
  /** Id of the experiment that ran. */
  readonly running: string | null;
}

/** Edits by their share of all; releases have a third, for they take many to an end. */
const releasesShare = 0.35;
const experimentsShare = 0.08;

export class RecordedDay {
  readonly game: Environment;
  readonly players: AskedPlayers;
  /** How many edits of each kind were made. */
  readonly edits: Record<string, number> = {};
  /** How many edits were rejected, by problem code. */
  readonly rejected: Record<string, number> = {};
  readonly #between: Between[] = [];
  readonly #texts: DayTexts;
  readonly #edits: DayEdits;
  readonly #releases: DayReleases;
  readonly #experiments: DayExperiments;
  #sequence = 0;

  /** Lives through the whole day. */
  static async record(options: DayOptions): Promise<RecordedDay> {
    const game = await makeEnvironment(options.server, 'game');
    const staging = await makeEnvironment(options.server, 'staging');
    const day = new RecordedDay(options, game, staging);
    await day.#round('nothing is there');
    await day.#edits.fill();
    await day.#round('a first publish of all');
    while (day.#between.length < options.rounds) await day.#round(await day.#edit());
    day.players.close();
    return day;
  }

  private constructor(options: DayOptions, game: Environment, staging: Environment) {
    const { server, database, random, players } = options;
    this.game = game;
    this.#texts = new DayTexts(random, playerOffsets);
    this.players = new AskedPlayers(game, this.#texts, dayPlayers(players));
    this.#edits = new DayEdits(game, staging, this.#texts);
    this.#releases = new DayReleases(game, server, database, this.#texts);
    this.#experiments = new DayExperiments(game);
  }

  /** All that was asked, each with the edit before it and the experiment that ran. */
  *pairs(): Generator<Asked & Between> {
    for (const [at, between] of this.#between.entries()) {
      const end = this.#between[at + 1]?.from ?? this.players.asked.length;
      for (const asked of this.players.asked.slice(between.from, end))
        yield { ...between, ...asked };
    }
  }

  async #round(edit: string): Promise<void> {
    const from = this.players.asked.length;
    await clockGoesOn();
    await this.players.askAll(this.#sequence);
    this.#between.push({ edit, from, running: this.#experiments.running });
    await clockGoesOn();
  }

  /** Tries edits until one is accepted, and names its kind. */
  async #edit(): Promise<string> {
    for (;;) {
      try {
        const { kind, sequence } = await this.#any();
        this.#sequence = Math.max(this.#sequence, sequence ?? 0);
        this.edits[kind] = (this.edits[kind] ?? 0) + 1;
        return kind;
      } catch (fault) {
        if (!(fault instanceof Rejected)) throw fault;
        this.rejected[fault.code] = (this.rejected[fault.code] ?? 0) + 1;
      }
    }
  }

  async #any(): Promise<{ readonly kind: string; readonly sequence: number | undefined }> {
    if (this.#texts.happens(releasesShare)) return this.#releases.move();
    if (this.#texts.happens(experimentsShare)) {
      const { kind } = this.#experiments;
      return { kind, sequence: await this.#experiments.move() };
    }
    const [kind, edit] = this.#texts.pick(Object.entries(this.#edits.kinds));
    return { kind, sequence: await edit() };
  }
}
