/**
 * One connection of a server to its database that stays: it receives what other nodes commit, holds locks for as long as
 * the server lives, and beats, by which it finds out that the way is broken (D45). It comes back by itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { sessionBeatMs, sessionRetryMsMax, sessionRetryMsMin } from '../../limits/fleet.js';
import type { CommitEvent } from '../dialect.js';
import type { Tables } from '../tables/tables.js';
import { type PostgresClient, PostgresPool } from './pool.js';
import { commitChannel, connectPostgres } from './postgres.js';
import type { DatabaseUrl } from './url.js';

export interface SessionParts {
  readonly url: DatabaseUrl;
  readonly log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  /** Called for each commit of every node, this one included. */
  readonly received: (event: CommitEvent) => void;
  /** The connection is there (again): notifications in between were missed. If it rejects, the connection is abandoned. */
  readonly connected: (db: Kysely<Tables>) => Promise<void>;
  /** Every two seconds, and when `beat` is called; one at a time. If it rejects, the connection is abandoned. */
  readonly beat: (db: Kysely<Tables>) => Promise<void>;
  /** The server ends in order. */
  readonly deregister: (db: Kysely<Tables>) => Promise<void>;
  /** The connection is gone, and with it its locks. */
  readonly lost: () => void;
  readonly beatEveryMs?: number;
}

const session = { primary: true, writes: true, max: 1, keepsPlans: true };

export class PostgresSession {
  readonly #parts: SessionParts;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  /** Ends the wait for the next beat. */
  #wake: () => void = () => undefined;
  /** Somebody asked for a beat while one was under way. */
  #due = false;
  #failures = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Beats now, if there is a connection. */
  beat(): void {
    this.#due = true;
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log } = this.#parts;
    while (!this.#closing.signal.aborted) {
      const pool = new PostgresPool(this.#parts.url, session);
      try {
        await this.#live(await pool.connect());
      } catch (error) {
        const level = this.#failures === 0 ? 'warn' : 'debug';
        log[level](
          { event: 'database_lost', err: error },
          'the connection to the database is lost; it is tried again',
        );
      } finally {
        await pool.end().catch(() => undefined);
      }
      await this.#rest();
    }
  }

  /** Until the connection is gone, or the server ends. */
  async #live(client: PostgresClient): Promise<void> {
    const { connected, beat, deregister, lost, log } = this.#parts;
    let gone = false;
    client.onNotification(
      (payload) => this.#receive(payload),
      () => {
        gone = true;
        this.#wake();
      },
    );
    const db = connectPostgres(only(client));
    try {
      // A beat may be lost with its server: it waits neither for a disk nor for a standby that is away.
      await sql`set synchronous_commit = off`.execute(db);
      await listen(db);
      await connected(db);
      while (!gone && !this.#closing.signal.aborted) {
        this.#due = false;
        await beat(db);
        if (this.#failures > 0) log.info({ event: 'database_back' }, 'the database responds again');
        this.#failures = 0;
        if (!gone && !this.#due && !this.#closing.signal.aborted) await this.#untilNextBeat();
      }
      if (!gone) await deregister(db);
    } finally {
      lost();
      // Not to be used by anybody else: it listens, and holds locks.
      client.destroy();
    }
  }

  #receive(payload: string): void {
    try {
      this.#parts.received(JSON.parse(payload) as CommitEvent);
    } catch (error) {
      // Somebody else uses the channel.
      this.#parts.log.debug(
        { event: 'notification_unreadable', err: error },
        'a notification was not understood',
      );
    }
  }

  #untilNextBeat(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#parts.beatEveryMs ?? sessionBeatMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ever longer, and every server another time: a database that comes back is not met by all of them at once. */
  async #rest(): Promise<void> {
    const ms = Math.min(sessionRetryMsMax, sessionRetryMsMin * 2 ** this.#failures);
    this.#failures += 1;
    await pause(ms * (0.5 + Math.random()), undefined, { signal: this.#closing.signal }).catch(
      () => undefined,
    );
  }
}

async function listen(db: Kysely<Tables>): Promise<void> {
  const found = await sql<{ channel: string }>`select ${commitChannel} as channel`.execute(db);
  await sql`listen ${sql.id(found.rows[0]?.channel ?? '')}`.execute(db);
}

/** A pool of one connection, which stays open when it is released. */
function only(client: PostgresClient): Parameters<typeof connectPostgres>[0] {
  const shared = {
    query: (text: string, parameters: readonly unknown[]) => client.query(text, parameters),
    release: () => undefined,
  };
  return { connect: async () => shared, end: async () => undefined } as Parameters<
    typeof connectPostgres
  >[0];
}
