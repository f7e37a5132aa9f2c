/** Writes a statement with texts as parameters, which it numbers. Numbers and days are written into it. */
import type { EventDatabase, SqlRow } from './event-database.js';

const dayMs = 86_400_000;

export class Statement {
  readonly #texts: string[] = [];

  /** A parameter, the same for the same text. */
  text(value: string): string {
    const known = this.#texts.indexOf(value);
    const place = known < 0 ? this.#texts.push(value) : known + 1;
    return `cast($${place} as varchar)`;
  }

  run(database: EventDatabase, sql: string): Promise<readonly SqlRow[]> {
    return database.query(sql, this.#texts);
  }
}

/** A 64-bit integer as SQL writes it. */
export function integer(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no safe integer.`);
  return `cast(${value} as bigint)`;
}

/** The UTC day of an instant as SQL writes it. */
export function day(epochMs: number): string {
  return `cast('${isoDay(epochMs)}' as date)`;
}

/** `YYYY-MM-DD`, UTC. */
export function isoDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Milliseconds of `days` days of 24 hours: windows know no time zone. */
export function daysInMs(days: number): number {
  return days * dayMs;
}
