/**
 * A recorded day of edits replayed: for ten thousand pairs of a player and a moment, the lookup says exactly what the delivery
 * port responded then, and cohorts name whom it gave a value, and from when on. `LOADOUT_SOAK_SEED` repeats a run;
 * `LOADOUT_SOAK_PART=0.05` is a trial with fewer pairs.
 */
import { expect, it } from 'vitest';
import { askForCohorts } from '../support/players/cohorts-of-day.js';
import { lookUpAll } from '../support/players/look-up-day.js';
import { RecordedDay } from '../support/players/recorded-day.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { seededRandom } from '../support/seeded-random.js';
import { makeDataFolder, startServer } from '../support/server/server.js';

const part = Number(process.env['LOADOUT_SOAK_PART'] ?? 1);
const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? Date.now() % 1_000_000);
const players = 40;
/** Values of each content item of which the cohort is asked for. */
const cohortValues = 8;
const pairs = Math.ceil(10_000 * part);

/** Edits that a whole day has at least once. */
const expectedKinds = [
  ...['publish', 'a mapping', 'a draft', 'a draft published', 'a rollback', 'a deletion'],
  ...['a deleted item restored', 'a version line', 'a version line removed'],
  ...['a value of many items', 'a segment', 'a segment rolled back', 'layers', 'a sync'],
  ...['an import', 'a release made', 'release: start', 'release: step', 'release: pause'],
  ...['release: resume', 'release: stop', 'release: live', 'release: revert'],
  ...['experiment: start', 'experiment: stop'],
];

for (const store of ['SQLite', 'PostgreSQL']) {
  const isSkipped = store === 'PostgreSQL' && !hasPostgres;
  it.skipIf(isSkipped)(`a day of edits replayed on ${store} (seed ${seed})`, async () => {
    const database = store === 'SQLite' ? null : await freshDatabase();
    const flags = database === null ? [] : ['--database', database, '--node-name', 'a'];
    const server = await startServer({ data: makeDataFolder(), listeners: 2, flags });
    const startedMs = performance.now();
    const rounds = Math.ceil(pairs / players);
    const random = seededRandom(seed);
    const day = await RecordedDay.record({ server, database, random, players, rounds });
    const recordedMs = performance.now();
    console.log(
      `${store}, seed ${seed}: ${rounds} rounds of ${players} players in ${seconds(startedMs)} s, ${day.players.bodies.size} different responses, ${day.players.askedAgain} asked again at edges of windows, ${day.players.overloaded} at an overloaded server\nedits ${JSON.stringify(day.edits)}\nrejected ${JSON.stringify(day.rejected)}`,
    );
    const { faults, ...figures } = await lookUpAll(day);
    console.log(
      `${store}, seed ${seed}: looked up in ${seconds(recordedMs)} s, ${JSON.stringify(figures)}`,
    );
    const cohortsMs = performance.now();
    const values = Math.ceil(cohortValues * part);
    const { faults: ofCohorts, ...cohorts } = await askForCohorts(day, { random, values });
    console.log(
      `${store}, seed ${seed}: cohorts in ${seconds(cohortsMs)} s, ${JSON.stringify(cohorts)}`,
    );
    await server.stop();
    expect(ofCohorts.slice(0, 20)).toEqual([]);
    expect(faults.slice(0, 20)).toEqual([]);
    expect(figures.pairs).toBeGreaterThanOrEqual(pairs);
    if (part >= 1) expect(Object.keys(day.edits)).toEqual(expect.arrayContaining(expectedKinds));
  });
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(1);
}
