/** That writes of all nodes take turns: a long one delays the others for a bounded time, and no follower skips a number for it. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { insertKey } from '../../src/management/keys/rows.js';
import { postgresStore } from '../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../src/management/store/postgres/url.js';
import { Store } from '../../src/management/store/store.js';
import { systemActor } from '../../src/management/store/unit-of-work.js';
import { FleetEditors } from '../support/fleet/editors.js';
import { contentPath, TestFleet } from '../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';

const turns = 15;

/** Follows the log as closely as it can, and notes every key that it was told of. */
async function follow(store: Store, told: Set<string>, goesOn: () => boolean): Promise<void> {
  let position = { sequence: 0, mark: '' };
  for (let isLast = false; !isLast; ) {
    // Once more after the last write: what is told by then is all that ever will be.
    isLast = !goesOn();
    const found = await store.readChanges(position);
    if (typeof found === 'string') throw new Error(`the log is ${found}`);
    expect(found.sequence).toBeGreaterThanOrEqual(position.sequence);
    for (const change of found.changes) if (change.kind === 'key') told.add(change.keyHash);
    position = { sequence: found.sequence, mark: found.mark };
  }
}

describe.skipIf(!hasPostgres)('a long write', () => {
  let url: string;
  let fleet: TestFleet;
  beforeAll(async () => {
    url = await freshDatabase();
    fleet = await TestFleet.start({ url });
  });

  it('makes no follower skip a number, whoever else writes beside it', async () => {
    const open = (): Promise<Store> => Store.open(postgresStore(parseDatabaseUrl(url)), Date.now);
    const stores = await Promise.all([open(), open(), open()]);
    const editors = new FleetEditors(fleet);
    const keys: string[] = [];
    let going = true;
    const followed = stores.map(() => new Set<string>());
    const following = stores.map((store, at) =>
      follow(store, followed[at] as Set<string>, () => going),
    );
    // Each thinks for a while in the middle of its write, so that the others begin theirs meanwhile.
    const write = async (store: Store, writer: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) {
        const { value } = await store.write(systemActor, async (write) => {
          const label = `${writer} ${turn}`;
          const made = await insertKey(write, fleet.game.id, { label, expiresAtMs: null });
          await pause((writer * 17 + turn * 13) % 60);
          return made;
        });
        keys.push(value?.key ?? '');
      }
    };
    await Promise.all(stores.map(write));
    await editors.stop();
    going = false;
    await Promise.all(following);
    // The fleet's own key, and those of the long writes.
    for (const told of followed) expect(told.size).toBe(keys.length + 1);
    await fleet.edit(0, '?wait=fleet');
    await fleet.converged();
    for (const at of [0, 1, 2]) {
      for (const key of keys) {
        const answer = await fleet.at(at).ask('POST', contentPath, {}, { 'x-api-key': key });
        expect(answer.status).toBe(200);
      }
    }
    await editors.expectNothingLost();
    expect([...editors.refused.keys()]).toEqual([]);
    await Promise.all(stores.map((store) => store.close()));
  }, 90_000);

  it('has other edits refused after a bounded wait, delays no read, and lets them through when it ends', async () => {
    const holder = new Client({ connectionString: url });
    onTestFinished(() => holder.end());
    await holder.connect();
    await holder.query("begin; update store_state set writer = 'somebody who thinks'");
    const startedMs = performance.now();
    const edits = Promise.all([0, 1, 2].map((at) => fleet.tryEdit(at)));
    const list = await fleet.node(1).admin('GET', `${fleet.game.path}/contents`);
    expect(list.status).toBe(200);
    expect(await fleet.read(2)).toBeGreaterThan(0);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    for (const answer of await edits) {
      expect(answer.status, answer.text).toBe(503);
      expect(answer.json).toMatchObject({ code: 'store_unavailable' });
      expect(answer.json.detail).toContain('Nothing was changed; try again');
    }
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    const editing = fleet.tryEdit(0);
    await holder.query('rollback');
    expect((await editing).status).toBe(200);
    await fleet.serveAll(fleet.written);
  }, 60_000);
});
