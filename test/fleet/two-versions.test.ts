/** That a server of the version before this one and one of this version share a database while a fleet is upgraded. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.js';
import { ready, startNode } from '../support/fleet/fleet.js';
import { queryAsSuperuser } from '../support/postgres/database.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { previousProgram, step4Commit } from '../support/server/previous-build.js';
import { runLoadout } from '../support/server/run-loadout.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import type { CatalogEntry } from '../support/specification/client.js';
import { contentHash } from '../support/xxhash.js';

// A build of the previous version, where there is none yet.
vi.setConfig({ hookTimeout: 300_000 });

const callers = [{ u: 'ada' }, { u: 'whale', p: { level: 90, country: 'US' }, v: '1.0.0' }];

/** Two servers on one database, the older one first, and an environment that was filled before the newer one started. */
class TwoVersions {
  readonly url: string;
  readonly old: LoadoutServer;
  readonly new: LoadoutServer;
  readonly #game: Environment;

  private constructor(url: string, old: LoadoutServer, newer: LoadoutServer, game: Environment) {
    this.url = url;
    this.old = old;
    this.new = newer;
    this.#game = game;
  }

  static async start(): Promise<TwoVersions> {
    const url = await freshDatabase();
    const old = await startNode({ name: 'old-1', url, program: previousProgram(step4Commit) });
    const game = await makeEnvironment(old);
    await game.putSegment('whales', { level: { $gte: 1 } });
    await game.put('plain', '{"n":0}');
    await game.put('mapped', '{"n":0}', { mapping: mapping(0) });
    await game.put('other', '{"other":0}', { mapping: mapping(0) });
    const fleet = new TwoVersions(url, old, await startNode({ name: 'new-1', url }), game);
    // PostgreSQL ends what the older server has prepared for tables that have other columns now: what it saves is saved, and
    // it says once that it does not serve it yet.
    let tries = 1;
    await eventually('the older server reads the new tables', 20_000, async () => {
      const path = `${fleet.path}/segments/whales`;
      const answer = await old.admin('PUT', path, { when: { level: { $gte: ++tries } } });
      if (answer.status !== 200) expect(answer.json).toMatchObject({ code: 'not_published' });
      return answer.status === 200;
    });
    return fleet;
  }

  get path(): string {
    return this.#game.path;
  }

  at(server: LoadoutServer): Environment {
    return this.#game.on(server);
  }

  /** An edit that both serve when it is answered. */
  async put(server: LoadoutServer, noun: string, body: unknown): Promise<void> {
    const answer = await server.admin('PUT', `${this.path}/${noun}?wait=fleet`, body);
    expect(expectDone(answer).json.fleet).toEqual({ acknowledged: 2, missing: [] });
  }

  async catalog(server: LoadoutServer): Promise<Record<string, CatalogEntry>> {
    return (await this.at(server).catalog()).json.catalog;
  }

  /** What both serve, which is the same. */
  async served(): Promise<string[]> {
    const [byOld, byNew] = await Promise.all(
      [this.old, this.new].map(async (server) => {
        const game = this.at(server);
        const items = Object.keys(await this.catalog(server)).flatMap((id) =>
          callers.map(async (caller) => (await game.wrapped(id, caller)).text),
        );
        return [(await game.catalog()).text, ...(await Promise.all(items))];
      }),
    );
    expect(byNew).toEqual(byOld);
    return byNew ?? [];
  }

  query<Row extends Record<string, unknown>>(sql: string): Promise<Row[]> {
    const { port, pathname } = new URL(this.url);
    return queryAsSuperuser<Row>(Number(port), sql, [], pathname.slice(1));
  }

  async hashRule(): Promise<unknown> {
    return (await this.query('SELECT hash_rule FROM store_state'))[0]?.['hash_rule'];
  }
}

const mapping = (n: number): unknown[] => [{ segment: 'whales', merge: { n } }];

describe.skipIf(!hasPostgres)('a fleet of two versions', () => {
  let fleet: TwoVersions;
  beforeAll(async () => {
    fleet = await TwoVersions.start();
  });

  it('takes edits through both, loses none, and has the hashes of the older one', async () => {
    const rounds = 8;
    for (let n = 1; n <= rounds; n++) {
      const [one, two] = n % 2 === 0 ? [fleet.old, fleet.new] : [fleet.new, fleet.old];
      await fleet.put(one, 'contents/plain', { text: `{"n":${n}}` });
      await fleet.put(two, 'contents/mapped', { mapping: mapping(n) });
      await fleet.put(one, 'segments/whales', { when: { level: { $gte: n } } });
      await fleet.put(two, 'contents/other', { text: `{"other":${n}}` });
      const served = await fleet.served();
      expect(served).toHaveLength(1 + 3 * callers.length);
      expect(await fleet.catalog(fleet.new)).toEqual({
        mapped: { h: contentHash('{"n":0}'), d: true },
        other: { h: contentHash(`{"other":${n}}`), d: true },
        plain: { h: contentHash(`{"n":${n}}`), d: false },
      });
      const whale = await fleet.at(fleet.new).wrapped('mapped', callers[1]);
      expect(whale.json).toMatchObject({ data: { n }, meta: { seg: [{ n: 'whales', v: null }] } });
    }
    for (const [id, saves] of Object.entries({ plain: rounds, mapped: rounds, other: rounds })) {
      const path = `${fleet.path}/contents/${id}/revisions`;
      const { revisions } = (await fleet.new.admin('GET', path)).json;
      expect(revisions).toHaveLength(saves + 1);
    }
    expect(await fleet.hashRule()).toBe('json');
  });

  it('keeps the conditions that the older one saved, though the newer one saves after it', async () => {
    await fleet.put(fleet.old, 'segments/whales', { when: { level: { $gte: 1000 } } });
    await fleet.put(fleet.new, 'segments/whales', { when: { level: { $gte: 8 } } });
    const path = `${fleet.path}/segments/whales/revisions`;
    const { revisions } = (await fleet.new.admin('GET', path)).json;
    const before = (await fleet.new.admin('GET', `${path}/${revisions[1].revision}`)).json;
    expect(before).toMatchObject({ current: false, when: { level: { $gte: 1000 } } });
    expect(before.author).not.toBe('');
  });

  it('records what the older one published and saved while it is still there', async () => {
    await fleet.put(fleet.old, 'segments/whales', { when: { level: { $gte: 9 } } });
    await fleet.put(fleet.old, 'contents/plain', { text: '{"n":9}' });
    await eventually('the newer server records it', 20_000, () => isRecorded(fleet));
    expect(await fleet.hashRule()).toBe('json');
    await fleet.served();
  });

  it('refuses edits on a server that knows less than writes must, which goes on serving', async () => {
    await fleet.query('UPDATE store_state SET writers_min = 99');
    const served = await fleet.served();
    for (const [method, noun, body] of [
      ['PUT', 'contents/plain', { text: '{"n":-1}' }],
      ['PUT', 'segments/whales', { when: {} }],
      ['DELETE', 'contents/other', undefined],
    ] as const) {
      const refused = await fleet.new.admin(method, `${fleet.path}/${noun}`, body);
      expect(refused.json).toMatchObject({ status: 503, code: 'upgrade_in_progress' });
    }
    expect(await fleet.served()).toEqual(served);
    expect((await fleet.new.admin('GET', `${fleet.path}/contents/plain`)).status).toBe(200);
    expect(await ready(fleet.new)).toMatchObject({ ready: true, store: 'available' });
    await fleet.query('UPDATE store_state SET writers_min = 5');
    await fleet.put(fleet.new, 'contents/plain', { text: '{"n":10}' });
  });

  it('finishes the upgrade by itself when the older one has stopped', async () => {
    await fleet.put(fleet.old, 'contents/plain', { text: '{"n":11}' });
    await fleet.put(fleet.old, 'segments/whales', { when: { level: { $gte: 11 } } });
    const before = await fleet.catalog(fleet.new);
    expect((await fleet.old.stop()).code).toBe(0);
    await eventually('the upgrade is finished', 30_000, async () => {
      return (await fleet.hashRule()) === 'state';
    });
    await eventually('the newer server serves its hashes', 10_000, async () => {
      const after = await fleet.catalog(fleet.new);
      return after['mapped']?.h !== before['mapped']?.h && after['other']?.h !== before['other']?.h;
    });
    const after = await fleet.catalog(fleet.new);
    expect(after['plain']).toEqual(before['plain']);
    expect(await isRecorded(fleet)).toBe(true);
    const game = fleet.at(fleet.new);
    await game.putMapping('mapped', mapping(12));
    expect((await fleet.catalog(fleet.new))['mapped']?.h).not.toBe(after['mapped']?.h);
  });
});

describe.skipIf(!hasPostgres)('loadout database finalize', () => {
  it('finishes the upgrade beside an older server, names it, and what that one edits is taken over', async () => {
    const fleet = await TwoVersions.start();
    await fleet.served();
    const done = await runLoadout(['database', 'finalize', '--database', fleet.url]);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain(
      'the upgrade is finished; hashes cover targeting rules and segments',
    );
    expect(done.stdout).toContain('Servers of an older version still run: old-1. Stop them.');
    expect(await fleet.hashRule()).toBe('state');
    const old = contentHash('{"n":0}');
    const hash = async (): Promise<string | undefined> =>
      (await fleet.catalog(fleet.new))['mapped']?.h;
    await eventually('the newer server serves the new hash', 10_000, async () => {
      return (await hash()) !== old;
    });
    const first = await hash();

    await fleet.put(fleet.old, 'segments/whales', { when: { level: { $gte: 50 } } });
    const bySegment = await eventually(
      'the segment of the older server counts',
      20_000,
      async () => {
        const now = await hash();
        return now !== first && now;
      },
    );
    await fleet.put(fleet.old, 'contents/mapped', { mapping: mapping(1) });
    await eventually('the mapping of the older server counts', 20_000, async () => {
      return ![first, bySegment, old].includes(await hash());
    });
    await eventually('what the older server did is recorded', 20_000, () => isRecorded(fleet));

    const again = await runLoadout(['database', 'finalize', '--database', fleet.url, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ wasFinished: true, older: ['old-1'] });
  });
});

/** Every segment has the revision that it is at, and each content's newest publication is what is live. */
async function isRecorded(fleet: TwoVersions): Promise<boolean> {
  const [row] = await fleet.query<{ segments: number; contents: number }>(`
    SELECT
      (SELECT count(*)::int FROM segments WHERE NOT EXISTS (
        SELECT FROM segment_revisions AS own WHERE own.environment = segments.environment
          AND own.name = segments.name AND own.number = segments.revision
          AND own.condition = segments.condition)) AS segments,
      (SELECT count(*)::int FROM contents WHERE live IS DISTINCT FROM (
        SELECT number FROM publications AS own WHERE own.environment = contents.environment
          AND own.id_lower = contents.id_lower ORDER BY at DESC LIMIT 1)) AS contents`);
  return row?.segments === 0 && row.contents === 0;
}
