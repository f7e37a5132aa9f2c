/** How far a server of a fleet is by its own report, when the store it shares went back in time and was moved on (D44). */
import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  leastReached,
  listNodes,
  type NodeReport,
  reportNode,
} from '../../../src/management/fleet/rows.js';
import {
  appendChanges,
  findMark,
  moveLogBeyond,
} from '../../../src/management/store/change-log.js';
import type { Tables } from '../../../src/management/store/tables/tables.js';
import { hasPostgres, preparedDatabase } from '../../support/postgres/postgres.js';
import { dialectOf } from '../../support/postgres/store-dump.js';

describe.skipIf(!hasPostgres)('a server reports', () => {
  let db: Kysely<Tables>;
  beforeEach(async () => {
    db = dialectOf(await preparedDatabase()).connect('write');
    onTestFinished(() => db.destroy());
    for (let edits = 0; edits < 3; edits += 1) await appendChanges(db, [], Date.now());
  });

  async function newest(): Promise<{ readonly sequence: number; readonly mark: string }> {
    const { sequence } = await listNodes(db);
    return { sequence, mark: (await findMark(db, sequence)) ?? '' };
  }

  /** Whether the report counts as having reached the number. */
  async function isReached(
    report: Pick<NodeReport, 'sequence' | 'mark'>,
    sequence: number,
  ): Promise<boolean> {
    const about = { name: 'west-1', address: 'http://west-1', version: '0', schema: 0 };
    await reportNode(db, { id: 'node-1', ...about, serving: 1, upMs: 1, ...report });
    const { nodes, ...log } = await listNodes(db);
    return (nodes[0]?.sequence ?? 0) >= leastReached(sequence, log);
  }

  it('what it serves of this history', async () => {
    const at = await newest();
    expect(await isReached(at, at.sequence)).toBe(true);
    expect(await isReached(at, at.sequence + 1)).toBe(false);
  });

  it('nothing by the number of another history, whether the log has that number or not', async () => {
    const edited = await newest();
    const another = { sequence: edited.sequence + 5, mark: 'of another history' };
    expect(await isReached(another, edited.sequence)).toBe(false);
    for (let edits = 0; edits < 8; edits += 1) await appendChanges(db, [], Date.now());
    expect(await isReached(another, edited.sequence)).toBe(false);
  });

  it('nothing by such a number once the log was moved beyond it', async () => {
    const edited = await newest();
    const another = { sequence: edited.sequence + 5, mark: 'of another history' };
    await moveLogBeyond(db, another.sequence, Date.now());
    expect(await isReached(another, edited.sequence)).toBe(false);
    expect(await isReached({ ...another, mark: null }, edited.sequence)).toBe(false);
    expect(await isReached(await newest(), edited.sequence)).toBe(true);
  });
});
