/** A release of an environment, taken through its life over the admin API, and the users that its ramp reaches. */
import { join } from 'node:path';
import { bucketOf } from '../../../src/content/bucket.js';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import type { ReleaseState, ReleaseStep } from '../../../src/contract/schemas/release.js';
import { withDatabase } from '../../../src/published/sqlite-driver.js';
import { queryAsSuperuser } from '../postgres/database.js';
import type { Answer } from '../wire/exchange.js';
import { type Environment, expectDone } from './environment.js';
import type { LoadoutServer, RunningServer } from './server-process.js';

export interface ReleaseParts {
  readonly changes: readonly object[];
  readonly steps: readonly ReleaseStep[];
  readonly brake?: object;
}

export type Act = 'submit' | 'start' | 'pause' | 'resume' | 'stop' | 'live' | 'revert';

export class TestedRelease {
  readonly number: number;
  readonly #game: Environment;

  static async make(game: Environment, parts: ReleaseParts): Promise<TestedRelease> {
    const body = { title: 'Tested', ...parts };
    const made = expectDone(await game.server.admin('POST', `${game.path}/releases`, body));
    return new TestedRelease(game, made.json.release);
  }

  constructor(game: Environment, number: number) {
    this.#game = game;
    this.number = number;
  }

  /** The same release, over another server. */
  on(server: RunningServer): TestedRelease {
    return new TestedRelease(this.#game.on(server), this.number);
  }

  /** Management's answer, accepted or refused. */
  tryAct(act: Act): Promise<Answer> {
    return this.#game.server.admin('POST', `${this.#path}/${act}`, {});
  }

  /** The sequence that the transition has; 0 where it has none. */
  async act(act: Act): Promise<number> {
    return expectDone(await this.tryAct(act)).json.sequence ?? 0;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
  async show(): Promise<any> {
    return expectDone(await this.#game.server.admin('GET', this.#path)).json;
  }

  async state(): Promise<ReleaseState> {
    return (await this.show()).state;
  }

  /** What happened to it, a line each. */
  async timeline(): Promise<readonly string[]> {
    const { json } = expectDone(await this.#game.server.admin('GET', `${this.#path}/timeline`));
    return json.events.map((event: Record<string, string>) => {
      const { at, event: name, by, state, percent, text } = event;
      const share = percent === null ? '' : ` ${percent} %`;
      return `${at} ${name} by ${by}: ${state}${share}${text === '' ? '' : `. ${text}`}`;
    });
  }

  get #path(): string {
    return `${this.#game.path}/releases/${this.number}`;
  }
}

/** What a delivery process knows of the users that are in. */
export interface Ramp {
  readonly salt: string;
  readonly permille: number;
}

/** The ramp that a server delivers of a content item, from what it has published; null: it does not ramp. */
export function rampAt(server: LoadoutServer, environment: string, id: string): Ramp | null {
  return withDatabase(join(server.data, 'published.db'), (db) => {
    const row = db
      .prepare('SELECT candidate FROM contents WHERE environment = ? AND id_lower = ?')
      .get(environment, id.toLowerCase()) as { candidate: string } | undefined;
    if (row === undefined || row.candidate === '') return null;
    const { salt, permille } = JSON.parse(row.candidate) as Ramp;
    return { salt, permille };
  });
}

export function isIn(ramp: Ramp | null, u: string | undefined): boolean {
  if (ramp === null || u === undefined || u === '') return false;
  return bucketOf(ramp.salt, makeEvaluationContext(u, {}, null)) < ramp.permille;
}

/**
 * Lets the hold of every ramp's present step pass, as if it had begun long ago.
 * @param url of the database; null: the embedded store of the server
 */
export async function endHolds(server: LoadoutServer, url: string | null): Promise<void> {
  const day = 24 * 60 * 60_000;
  const update = `UPDATE releases SET step_at = step_at - ${day} WHERE state = 'ramping'`;
  if (url !== null) {
    const { port, pathname } = new URL(url);
    await queryAsSuperuser(Number(port), update, [], pathname.slice(1));
    return;
  }
  withDatabase(join(server.data, 'store.db'), (db) => db.prepare(update).run());
}

/** What draws the users that are in, of a release in an embedded store, before it starts. */
export function saltOf(server: LoadoutServer, environment: string, release: number): string {
  return withDatabase(join(server.data, 'store.db'), (db) => {
    const select = 'SELECT salt FROM releases WHERE environment = ? AND release = ?';
    return (db.prepare(select).get(environment, release) as { salt: string }).salt;
  });
}
