/** What the demo leaves in its folder before its server starts. */

import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedHistory } from '../../../../src/command/demo/seed-history.js';
import { retryDelaysMs } from '../../../../src/management/store/events/retry-schedule.js';
import { BetterSqlite3 } from '../../../../src/published/sqlite-driver.js';

interface Delivery {
  readonly status: string;
  readonly attempts: number;
  /** From the event to the last attempt. */
  readonly tookMs: number;
}

const folder = mkdtempSync(join(tmpdir(), 'loadout-demo-story-'));
const nowMs = Date.now();
const umask = process.umask(0o022);
let deliveries: Delivery[];

beforeAll(async () => {
  chmodSync(folder, 0o755);
  const game = await seedHistory({ data: folder, adminToken: null, nowMs });
  game.receiver.close();
  const db = new BetterSqlite3(join(folder, 'store.db'), { readonly: true });
  deliveries = db
    .prepare<[], Delivery>(
      `SELECT status, attempts, last_attempt_at - created_at AS tookMs
       FROM webhook_deliveries WHERE attempts > 0 ORDER BY id`,
    )
    .all();
  db.close();
}, 90_000);
afterAll(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

describe("the demo's folder", () => {
  it('holds only files and folders of its user, though everybody may enter it', () => {
    const modes = readdirSync(folder).map(
      (file) => `${file} ${(statSync(join(folder, file)).mode & 0o777).toString(8)}`,
    );
    expect(modes).toContain('store.db 600');
    expect(modes).toContain('events 700');
    expect(modes.filter((line) => !/ [67]00$/.test(line))).toEqual([]);
  });
});

describe('messages of the past', () => {
  it('that arrive at the second attempt do so seconds later', () => {
    const later = deliveries.filter(
      ({ status, attempts }) => status === 'delivered' && attempts === 2,
    );
    expect(later.length).toBeGreaterThan(2);
    for (const { tookMs } of later) {
      expect(tookMs).toBeGreaterThanOrEqual(retryDelaysMs[0] ?? 0);
      expect(tookMs).toBeLessThan(30_000);
    }
  });

  it('that never arrive are tried on their schedule until now', () => {
    const pending = deliveries.filter(({ status }) => status === 'pending');
    const first = pending[0];
    if (first === undefined) throw new Error('nothing is pending');
    expect(first.attempts).toBeGreaterThan(5);
    // The first waits for no other: the schedule's waits, each a tenth longer at most, and the attempts themselves.
    const waitsMs = retryDelaysMs.slice(0, first.attempts - 1).reduce((sum, ms) => sum + ms, 0);
    expect(first.tookMs).toBeGreaterThanOrEqual(waitsMs);
    expect(first.tookMs).toBeLessThan(waitsMs * 1.1 + 60_000);
  });
});
