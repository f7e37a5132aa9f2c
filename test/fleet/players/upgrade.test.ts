/**
 * Players of the time before a store recorded its layers and ramps (schema step 13): what is not known is said to be so, and what was
 * in force at the upgrade is known from then on.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withDatabase } from '../../../src/published/sqlite-driver.js';
import { eventually } from '../../support/eventually.js';
import { queryAsSuperuser } from '../../support/postgres/database.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { backToStep12 } from '../../support/postgres/step-back.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { TestedRelease } from '../../support/server/release.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';

const ids = ['layered', 'plain', 'ramped', 'stopped'];
const players = Array.from({ length: 8 }, (_, at) => ({ u: `player-${at}` }));
const steps = [{ percent: 50, holdMinutes: 600 }];

interface Asked {
  readonly atMs: number;
  /** By player, then by place in `ids`. */
  readonly responses: readonly (readonly string[])[];
}

async function clockGoesOn(): Promise<void> {
  const untilMs = Date.now() + 20;
  await eventually('the clock goes on', 5_000, async () => Date.now() > untilMs);
}

async function ask(game: Environment): Promise<Asked> {
  await clockGoesOn();
  const atMs = Date.now();
  const responses: string[][] = [];
  for (const player of players) {
    const ofPlayer: string[] = [];
    for (const id of ids) ofPlayer.push(expectDone(await game.wrapped(id, player)).text);
    responses.push(ofPlayer);
  }
  await clockGoesOn();
  return { atMs, responses };
}

/** By player, then by place in `ids`: whether it is known, which each has to be rightly. */
async function known(game: Environment, { atMs, responses }: Asked): Promise<boolean[][]> {
  const found: boolean[][] = [];
  for (const [at, player] of players.entries()) {
    const body = { ...player, at: new Date(atMs).toISOString() };
    const { json } = expectDone(
      await game.server.admin('POST', `${game.path}/players/lookup`, body),
    );
    const ofPlayer: boolean[] = [];
    for (const [place, item] of json.items.entries()) {
      expect([item.id, item.outcome]).toEqual([
        ids[place],
        expect.stringMatching(/^(delivered|not_known)$/),
      ]);
      const isKnown = item.outcome === 'delivered';
      const digest = createHash('sha256')
        .update(responses[at]?.[place] ?? '')
        .digest('hex');
      expect(item.digest).toBe(isKnown ? digest : null);
      if (!isKnown) expect(item.detail).toMatch(/not kept/);
      ofPlayer.push(isKnown);
    }
    found.push(ofPlayer);
  }
  return found;
}

async function ramp(game: Environment, id: string): Promise<TestedRelease> {
  await game.put(id, '"live"');
  await game.put(id, '"candidate"', { publish: false });
  const release = await TestedRelease.make(game, { changes: [{ kind: 'content', id }], steps });
  await release.act('start');
  return release;
}

it.each(['SQLite', 'PostgreSQL'])('a store of step 12 is upgraded, %s', async (store) => {
  if (store === 'PostgreSQL' && !hasPostgres) return;
  const database = store === 'SQLite' ? null : await freshDatabase();
  const flags = database === null ? [] : ['--database', database, '--node-name', 'a'];
  const data = makeDataFolder();
  const older = await startServer({ data, flags, listeners: 1 });
  let game = await makeEnvironment(older);
  const layers = { layers: [{ name: 'shop', salt: 'first' }], holdout: null };
  expectDone(await older.admin('PUT', `${game.path}/layers`, layers));
  const rule = {
    ...{ segment: 'half', when: {}, layer: 'shop', slice: [0, 499], salt: 'half' },
    variants: [{ name: 'all', groups: [0, 999], merge: { half: true } }],
  };
  await game.put('layered', '{}', { mapping: [rule] });
  await game.put('plain', '"plain"');
  await game.put('ramped', '"live"');
  const stopped = await ramp(game, 'stopped');
  const before = await ask(game);
  await stopped.act('stop');
  const ramped = await ramp(game, 'ramped');
  const all = players.map(() => ids.map(() => true));
  expect(await known(game, before)).toEqual(all);
  await older.stop();
  for (const statement of backToStep12) {
    if (database === null) {
      withDatabase(join(data, 'store.db'), (db) => db.prepare(statement).run());
      continue;
    }
    const { port, pathname } = new URL(database);
    await queryAsSuperuser(Number(port), statement, [], pathname.slice(1));
  }

  const newer = await startServer({ data, flags, listeners: 1 });
  game = game.on(newer);
  const after = await ask(game);
  await ramped.on(newer).act('stop');
  const salt = { layers: [{ name: 'shop', salt: 'second' }], holdout: null };
  expectDone(await newer.admin('PUT', `${game.path}/layers`, salt));
  const later = await ask(game);
  // Of the time before: who was in the ramp that is over is not known to have been given, nor who was in a rule of the layer.
  const isCandidate = (at: number) => before.responses[at]?.[3]?.includes('candidate') ?? false;
  const candidates = players.map((_, at) => isCandidate(at));
  expect(new Set(candidates)).toEqual(new Set([true, false]));
  const then = await known(game, before);
  for (const [at, [layered, plain, ramped, ended]] of then.entries()) {
    expect([layered, ended]).toEqual([false, !isCandidate(at)]);
    if (!isCandidate(at)) expect([plain, ramped]).toEqual([true, true]);
  }
  expect(then.flat()).toContain(true);
  expect(await known(game, after)).toEqual(all);
  expect(await known(game, later)).toEqual(all);
  await newer.stop();
});
