/** That an edit on one node is served by the others at once, and that nobody who names its number is told something older. */
import { beforeAll, describe, expect, it } from 'vitest';
import { insertKey } from '../../src/management/keys/rows.js';
import { postgresStore } from '../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../src/management/store/postgres/url.js';
import { Store } from '../../src/management/store/store.js';
import { systemActor } from '../../src/management/store/unit-of-work.js';
import { eventually } from '../support/eventually.js';
import { contentPath, TestFleet } from '../support/fleet/fleet.js';
import { measurePropagation, staleReads } from '../support/fleet/measures.js';
import { queryAsSuperuser } from '../support/postgres/database.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';

/** Of a breakage, not of the figures: other test files run beside this one. `npm run soak` holds the figures. */
const brokenMillis = 1_000;

describe.skipIf(!hasPostgres)('three nodes on one database', () => {
  let url: string;
  let fleet: TestFleet;
  beforeAll(async () => {
    url = await freshDatabase();
    fleet = await TestFleet.start({ url, together: true });
  });

  it('start together on an empty database, and make one store of it', async () => {
    const { port, pathname } = new URL(url);
    const rows = await queryAsSuperuser(
      Number(port),
      'select count(*)::int as count from store_state',
      [],
      pathname.slice(1),
    );
    expect(rows).toEqual([{ count: 1 }]);
    for (const node of fleet.nodes) {
      const { nodes } = (await node.admin('GET', '/admin/v1/nodes')).json;
      expect(nodes.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
      expect(nodes.every(({ live }: { live: boolean }) => live)).toBe(true);
    }
  });

  it('serve an edit that was made through one of them soon after it was answered', async () => {
    const figures = await measurePropagation(fleet, 60);
    expect(figures.afterAnswer.p50).toBeLessThan(brokenMillis);
  });

  it('never answer with something older than the number that a caller names', async () => {
    expect(await staleReads(fleet, 500)).toEqual([]);
  });

  it('refuse what they cannot have yet after a bounded wait, and say when to come back', async () => {
    const ahead = String((await fleet.converged()) + 1_000);
    const startedMs = performance.now();
    const answers = await Promise.all(
      fleet.nodes.flatMap((_, at) => [
        fleet.at(at).ask('POST', contentPath, {}, { 'x-min-sequence': ahead }),
        fleet.at(at).ask('GET', '/api/v1/env/catalog', undefined, { 'x-min-sequence': ahead }),
      ]),
    );
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.text).toContain('sequence_not_reached');
      expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('serve a change that no notification told them of, because they look by themselves', async () => {
    const deaf = { ...postgresStore(parseDatabaseUrl(url)), notify: null };
    const store = await Store.open(deaf, Date.now);
    const { value } = await store.write(systemActor, (write) =>
      insertKey(write, fleet.game.id, { label: 'told to nobody', expiresAtMs: null }),
    );
    await store.close();
    const headers = { 'x-api-key': value?.key ?? '' };
    for (const at of [0, 1, 2]) {
      await eventually(`node ${at} has found the key`, 6_000, async () => {
        return (await fleet.at(at).ask('POST', contentPath, {}, headers)).status === 200;
      });
    }
  });

  it('go on when all their connections to the database are broken', async () => {
    const { port, pathname } = new URL(url);
    const database = pathname.slice(1);
    const broken = await queryAsSuperuser<{ pid: number }>(
      Number(port),
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [database],
    );
    expect(broken.length).toBeGreaterThanOrEqual(3);
    await fleet.serveAll(await fleet.editAgain(0, 10_000), 10_000);
    await fleet.converged();
    expect((await fleet.tryEdit(1, '?wait=fleet')).json.fleet).toEqual({
      acknowledged: 3,
      missing: [],
    });
  });
});
