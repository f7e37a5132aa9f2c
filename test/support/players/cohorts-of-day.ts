/** Asks who was given a value on a recorded day, and compares that with what was responded, and with lookups where it began. */
import type { CohortPlayer } from '../../../src/contract/schemas/players/cohort-player.js';
import { itemIds } from './day-texts.js';
import type { RecordedDay } from './recorded-day.js';

/** The member whose value no two texts of a day share. */
const path = '/n';

export interface CohortsOfDay {
  /** What was not as it was responded, a line each. */
  readonly faults: readonly string[];
  readonly cohorts: number;
  readonly given: number;
  /** Lookups at the moment from which a value was given, and one millisecond before. */
  readonly lookups: number;
}

export interface CohortOptions {
  readonly random: () => number;
  /** Values that are asked for of each content item; one more was given to nobody. */
  readonly values: number;
}

/** Throws when a request is rejected. */
export async function askForCohorts(
  day: RecordedDay,
  options: CohortOptions,
): Promise<CohortsOfDay> {
  const moments = day.players.asked.map(({ atMs }) => atMs);
  const span = { fromMs: Math.min(...moments), toMs: Math.max(...moments) + 1 };
  const faults: string[] = [];
  const counts = { cohorts: 0, given: 0, lookups: 0 };

  /** @returns the value that a player was given; undefined: none */
  const lookUp = async (id: string, player: number, atMs: number): Promise<unknown> => {
    counts.lookups += 1;
    const body = { ...day.players.players[player], at: new Date(atMs).toISOString(), ids: [id] };
    const { text, json } = await ask(day, 'lookup', body);
    if (json.items.length > 1) throw new Error(text);
    return nIn(json.items[0]?.answer);
  };

  const check = async (id: string, value: number, found: CohortPlayer, player: number) => {
    const seen = momentsOf(day, id, player, value);
    const [first, last] = [Math.min(...seen), Math.max(...seen)];
    const what = `${id} with ${value} for player ${player}: ${JSON.stringify(found)}`;
    const { outcome, firstAt, untilAt } = found;
    if (outcome === 'not_given') {
      if (seen.length > 0) faults.push(`${what}, was given at ${new Date(first).toISOString()}`);
      return;
    }
    if (outcome !== 'given' || firstAt === null || untilAt === null) {
      faults.push(what);
      return;
    }
    counts.given += 1;
    const [fromMs, untilMs] = [Date.parse(firstAt), Date.parse(untilAt)];
    if (seen.length > 0 && (fromMs > first || untilMs <= last)) {
      faults.push(`${what}, was given from ${first} to ${last}`);
    }
    if ((await lookUp(id, player, fromMs)) !== value) faults.push(`${what}, is not so at firstAt`);
    if (fromMs > span.fromMs && (await lookUp(id, player, fromMs - 1)) === value) {
      faults.push(`${what}, is so before firstAt`);
    }
  };

  for (const id of itemIds) {
    const values = [...valuesOf(day, id)];
    const chosen = Array.from({ length: Math.min(options.values, values.length) }, () =>
      values.splice(Math.floor(options.random() * values.length), 1),
    ).flat();
    for (const value of [...chosen, -1]) {
      counts.cohorts += 1;
      const found = await cohortOf(day, { id, path, equals: value, ...timesOf(span) });
      for (const [player, each] of found.entries()) await check(id, value, each, player);
    }
  }
  return { faults, ...counts };
}

function timesOf({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

/** All pages. */
async function cohortOf(day: RecordedDay, question: object): Promise<CohortPlayer[]> {
  const { players } = day.players;
  const found: CohortPlayer[] = [];
  while (found.length < players.length) {
    const body = { ...question, players: players.slice(found.length) };
    const { json } = await ask(day, 'cohort', body);
    found.push(...json.players);
    if (json.next === null) break;
  }
  return found;
}

async function ask(day: RecordedDay, what: 'cohort' | 'lookup', body: object) {
  const path = `${day.game.path}/players/${what}`;
  const { status, text, json } = await day.game.server.admin('POST', path, body);
  if (status !== 200) throw new Error(`${what} of ${JSON.stringify(body)}: ${status} ${text}`);
  return { text, json };
}

/** @param response as the delivery port gives it */
function nIn(response: unknown): unknown {
  return (response as { data?: { n?: unknown } } | null | undefined)?.data?.n;
}

/** All values of a content item that were given. */
function valuesOf(day: RecordedDay, id: string): Set<number> {
  const place = itemIds.indexOf(id);
  const digests = new Set(day.players.asked.map(({ digests }) => digests[place] ?? null));
  const values = [...digests].map((digest) => valueOfDigest(day, digest));
  return new Set(values.filter((value) => typeof value === 'number'));
}

/** When a player was given the value, milliseconds since the epoch. */
function momentsOf(day: RecordedDay, id: string, player: number, value: number): number[] {
  const place = itemIds.indexOf(id);
  return day.players.asked
    .filter((each) => each.player === player)
    .filter(({ digests }) => valueOfDigest(day, digests[place] ?? null) === value)
    .map(({ atMs }) => atMs);
}

const valuesByDigest = new WeakMap<RecordedDay, Map<string, unknown>>();

function valueOfDigest(day: RecordedDay, digest: string | null): unknown {
  if (digest === null) return undefined;
  const known = valuesByDigest.get(day) ?? new Map<string, unknown>();
  valuesByDigest.set(day, known);
  if (!known.has(digest)) {
    known.set(digest, nIn(JSON.parse(day.players.bodies.get(digest) ?? '{}')));
  }
  return known.get(digest);
}
