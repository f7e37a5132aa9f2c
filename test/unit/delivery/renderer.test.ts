import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Piscina } from 'piscina';
import { beforeEach, describe, expect, it } from 'vitest';
import { batchTasksMax, rendersPendingMax } from '../../../src/delivery/limits.js';
import { refusals } from '../../../src/delivery/refusals.js';
import type { RenderedParts, RenderTask } from '../../../src/delivery/render-task.js';
import { type OnRendered, Renderer } from '../../../src/delivery/renderer.js';

interface Batch {
  readonly tasks: readonly RenderTask[];
  readonly finish: (reply: unknown) => void;
  readonly fail: (error: Error) => void;
}

let batches: Batch[];
let errors: unknown[];
let renderer: Renderer;

/** Stands in for the threads only: what the pool does is in the server suite. */
const pool = {
  run: (message: { tasks: readonly RenderTask[] }) =>
    new Promise((finish, fail) => batches.push({ tasks: message.tasks, finish, fail })),
} as unknown as Piscina;

beforeEach(() => {
  batches = [];
  errors = [];
  renderer = new Renderer(pool, (error) => errors.push(error));
});

function task(digest: string): RenderTask {
  return { bodyDigest: digest, hash: 'h', mappingDigest: '', choices: [], form: 0, gzip: false };
}

function parts(text: string): RenderedParts {
  const bytes = new TextEncoder().encode(text);
  return { bytes, deflated: null, crc: 0, bytesLength: bytes.byteLength, missed: [] };
}

const ignore: OnRendered = () => undefined;

describe('the renderer', () => {
  it('has equal misses wait for one job, and keeps the result', async () => {
    const got: unknown[] = [];
    renderer.render('k', task('a'), 10, (rendered) => got.push(rendered));
    renderer.render('k', task('a'), 10, (rendered) => got.push(rendered));
    await nextTurn();
    renderer.render('k', task('a'), 10, (rendered) => got.push(rendered));
    expect(batches.map((batch) => batch.tasks.length)).toEqual([1]);
    const body = parts('x');
    batches[0]?.finish([body]);
    await nextTurn();
    expect(got).toEqual([body, body, body]);
    expect(renderer.cached('k')).toBe(body);
    expect(renderer.queued).toBe(0);
  });

  it('sends the misses of a turn together, no more than a batch holds', async () => {
    for (let at = 0; at <= batchTasksMax; at += 1) renderer.render(`k${at}`, task('a'), 10, ignore);
    expect(batches).toEqual([]);
    await nextTurn();
    expect(batches.map((batch) => batch.tasks.length)).toEqual([batchTasksMax, 1]);
  });

  it('does not make small bodies wait behind large ones', async () => {
    for (const key of ['large-1', 'large-2', 'small']) {
      renderer.render(key, task(key), key === 'small' ? 10 : 1_000_000, ignore);
    }
    await nextTurn();
    expect(batches.map((batch) => batch.tasks.map((one) => one.bodyDigest))).toEqual([
      ['large-1'],
      ['large-2'],
      ['small'],
    ]);
  });

  it('tells a body that is gone from one that failed', async () => {
    const got: unknown[] = [];
    renderer.render('gone', task('a'), 10, (rendered) => got.push(rendered));
    await nextTurn();
    batches[0]?.finish([null]);
    renderer.render('failed', task('b'), 10, (rendered) => got.push(rendered));
    await nextTurn();
    batches[1]?.fail(new Error('the worker is gone'));
    await nextTurn();
    expect(got).toEqual([null, refusals.internal]);
    expect(errors).toHaveLength(1);
    expect(renderer.cached('failed')).toBeUndefined();
  });

  it('refuses what the queue cannot hold', () => {
    for (let at = 0; at < rendersPendingMax; at += 1)
      renderer.render(`${at}`, task('a'), 1, ignore);
    let got: unknown;
    renderer.render('one more', task('a'), 1, (rendered) => {
      got = rendered;
    });
    expect(got).toBe(refusals.overloaded);
  });
});
