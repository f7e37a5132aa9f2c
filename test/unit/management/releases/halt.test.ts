import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreStore } from '../../../../src/management/backup/backup-restore.js';
import { haltReleases } from '../../../../src/management/releases/halt-releases.js';
import { sqliteStore } from '../../../../src/management/store/sqlite.js';
import { Store } from '../../../../src/management/store/store.js';
import { onPostgres } from '../../../support/postgres/tested-store.js';
import { startMs, temporaryFolder, tester } from '../harness.js';
import { minuteMs, Releases } from './harness.js';

const ramp = [
  { percent: 10, holdMinutes: 10 },
  { percent: 100, holdMinutes: 10 },
];

/** A store with a ramp and a scheduled release. */
async function busy(): Promise<{ releases: Releases; ramping: number; scheduled: number }> {
  const releases = await Releases.start();
  for (const id of ['offers', 'news']) await releases.put(id, '1');
  for (const id of ['offers', 'news']) await releases.draft(id, '2');
  const ramping = await releases.make(['offers'], { steps: ramp });
  const scheduled = await releases.make(['news']);
  await releases.act(ramping, 'start');
  const at = new Date(startMs + 60 * minuteMs).toISOString();
  await releases.act(scheduled, 'schedule', { at });
  return { releases, ramping, scheduled };
}

describe('after the store was restored or moved', () => {
  it('nothing runs by itself: ramps are paused, and schedules are taken back', async () => {
    const { releases, ramping, scheduled } = await busy();
    await releases.store.write(tester, ({ db, at }) => haltReleases(db, at, 'It was moved.'));
    releases.pass(24 * 60 * minuteMs);
    await releases.leader().runNow();
    const reason = 'It was moved.';
    expect(await releases.show(ramping)).toMatchObject({ state: 'paused', percent: 10, reason });
    expect(await releases.show(scheduled)).toMatchObject({ state: 'approved', reason });
    expect(await releases.events(ramping)).toContain('release.pause');
    expect(await releases.delivered('offers')).toEqual({ live: '1', candidate: '2' });
    expect((await releases.act(ramping, 'resume')).body.state).toBe('ramping');
  });

  // A restore is of a data folder, whatever the run is about.
  it.skipIf(onPostgres)('a restored store says why', async () => {
    const { releases, ramping } = await busy();
    const folder = join(temporaryFolder(), 'restored');
    const file = await releases.copy();
    await restoreStore({ file, folder, force: false, now: () => releases.nowMs });
    const store = await Store.open(sqliteStore(join(folder, 'store.db')), () => releases.nowMs);
    const rows = await store.read((db) =>
      db.selectFrom('releases').select(['release', 'state', 'reason']).orderBy('release').execute(),
    );
    expect(rows).toMatchObject([
      { release: ramping, state: 'paused' },
      { release: ramping + 1, state: 'approved' },
    ]);
    expect(rows[0]?.reason).toMatch(/restored from a backup/);
    await store.close();
  });
});
