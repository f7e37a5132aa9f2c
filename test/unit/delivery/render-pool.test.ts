/** A real pool, with workers that do what a test wants of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RenderPool } from '../../../src/delivery/render/render-pool.js';
import type { PoolTask } from '../../../src/delivery/render/render-task.js';
import { eventually } from '../../support/eventually.js';

/** Says which thread it is. The first one of all ends before it has a task, as of a fault of native code. */
const worker = `
import { existsSync, writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
const marker = new URL('./first', import.meta.url);
if (existsSync(new URL('./faulty', import.meta.url)) && !existsSync(marker)) {
  writeFileSync(marker, '');
  throw new Error('out of nothing');
}
export async function run({ bodyDigest }) {
  if (bodyDigest === 'end') process.exit(7);
  if (bodyDigest === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
  return threadId;
}`;

let folder: string;
let pool: RenderPool;
const failures: unknown[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-pool-'));
  writeFileSync(join(folder, 'worker.mjs'), worker);
  failures.length = 0;
  pool = makePool();
});
afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

function makePool(): RenderPool {
  return new RenderPool({
    workers: 1,
    workerData: { publishedPath: '', native: 'off' },
    failed: (error) => failures.push(error),
    module: pathToFileURL(join(folder, 'worker.mjs')),
  });
}

const task = (bodyDigest: string): PoolTask => ({ type: 'document', bodyDigest });

describe('the render pool', () => {
  it('lives on when a worker ends that has no task, and says so', async () => {
    await pool.close();
    writeFileSync(join(folder, 'faulty'), '');
    pool = makePool();
    await eventually('the worker is gone', 5_000, () => failures.length > 0);
    expect(String(failures[0])).toContain('out of nothing');
    expect(await pool.run(task('work'))).toEqual(expect.any(Number));
  });

  it('fails the task of a worker that ends in the middle of it, and does the next', async () => {
    await expect(pool.run(task('end'))).rejects.toThrow();
    expect(await pool.run(task('work'))).toEqual(expect.any(Number));
  });

  it('lets go when what is under way is done; tasks wait until it is opened again', async () => {
    const before = pool.run(task('slow'));
    const order: string[] = [];
    void before.then(() => order.push('before'));
    await pool.release();
    order.push('released');
    const after = pool.run(task('work'));
    void after.then(() => order.push('after'));
    pool.reopen();
    order.push('reopened');
    expect(await after).not.toBe(await before);
    expect(order).toEqual(['before', 'released', 'reopened', 'after']);
  });

  it('that is closed while tasks wait for it fails them', async () => {
    await pool.release();
    const waiting = pool.run(task('work'));
    await pool.close();
    await expect(waiting).rejects.toThrow('closed');
  });
});
