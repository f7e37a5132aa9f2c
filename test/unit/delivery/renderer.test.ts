import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Piscina } from 'piscina';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { stripJsonc } from '../../../src/content/json/jsonc.js';
import { parseMapping } from '../../../src/content/mapping/mapping.js';
import { Selection } from '../../../src/content/selection.js';
import { NO_VERSION } from '../../../src/content/version.js';
import { EventLoopLag } from '../../../src/delivery/event-loop-lag.js';
import {
  batchTasksMax,
  pendingBytesMax,
  pendingTasksMax,
  turnBehindMsMax,
} from '../../../src/delivery/limits.js';
import { problems } from '../../../src/delivery/problems.js';
import { TailHead } from '../../../src/delivery/render/caller-tail.js';
import { chooseDocumentWork } from '../../../src/delivery/render/document-work.js';
import { RenderSlot } from '../../../src/delivery/render/render-slot.js';
import {
  Coding,
  Form,
  type PoolTask,
  type RenderedParts,
  type RenderTask,
} from '../../../src/delivery/render/render-task.js';
import { type OnRendered, Renderer } from '../../../src/delivery/render/renderer.js';

interface Asked {
  readonly task: PoolTask;
  readonly finish: (reply: unknown) => void;
  readonly fail: (error: Error) => void;
}

const work = chooseDocumentWork('off');
let asked: Asked[];
let errors: unknown[];
let renderer: Renderer;

/** Stands in for the threads only: what the pool does is in the server suite. */
const pool = {
  run: (task: PoolTask) => new Promise((finish, fail) => asked.push({ task, finish, fail })),
} as unknown as Piscina;

beforeEach(() => {
  asked = [];
  errors = [];
  renderer = new Renderer(pool, work, new EventLoopLag(), (error) => errors.push(error));
});

function slotOf(digest: string, bytes = 10, selection: Selection | null = null): RenderSlot {
  const tailHead = new TailHead('h');
  const line = {
    version: NO_VERSION,
    versionText: '',
    digest,
    hash: 'h',
    index: 0,
    bytes,
    tailHead,
  };
  return new RenderSlot(line, selection, 'm', Form.Wrapped, Coding.Identity);
}

function parts(text: string): RenderedParts {
  const raw = new TextEncoder().encode(text);
  const rawLength = raw.byteLength;
  return {
    raw,
    rawLength,
    packed: null,
    packedLength: 0,
    crc: 0,
    crcShift: 0,
    dataCrc: -1,
    missed: [],
  };
}

function renders(): (readonly RenderTask[])[] {
  return asked.flatMap(({ task }) => (task.type === 'render' ? [task.tasks] : []));
}

const ignore: OnRendered = () => undefined;

describe('the renderer', () => {
  it('has equal misses wait for one job, and keeps the result', async () => {
    const slot = slotOf('a');
    const got: unknown[] = [];
    expect(renderer.cached(slot, 0)).toBeNull();
    renderer.render(slot, (rendered) => got.push(rendered));
    renderer.render(slotOf('a'), (rendered) => got.push(rendered));
    await nextTurn();
    renderer.render(slot, (rendered) => got.push(rendered));
    expect(renders().map((tasks) => tasks.length)).toEqual([1]);
    const body = parts('x');
    asked[0]?.finish([body]);
    await nextTurn();
    expect(got).toEqual([body, body, body]);
    expect(renderer.cached(slot, 1)).toBe(body);
    expect(renderer.cached(slotOf('a'), 1)).toBe(body);
    expect(renderer.queued).toBe(0);
  });

  it('sends the misses of a turn together, no more than a batch holds', async () => {
    for (let at = 0; at <= batchTasksMax; at += 1) renderer.render(slotOf(`${at}`), ignore);
    expect(asked).toEqual([]);
    await nextTurn();
    expect(renders().map((tasks) => tasks.length)).toEqual([batchTasksMax, 1]);
  });

  it('does not make small bodies wait behind large ones', async () => {
    renderer.render(slotOf('large-1', 1_000_000), ignore);
    renderer.render(slotOf('large-2', 1_000_000), ignore);
    renderer.render(slotOf('small', 10), ignore);
    await nextTurn();
    expect(renders().map((tasks) => tasks.map((task) => task.bodyDigest))).toEqual([
      ['large-1'],
      ['large-2'],
      ['small'],
    ]);
  });

  it('tells a body that is gone from one that failed', async () => {
    const got: unknown[] = [];
    renderer.render(slotOf('gone'), (rendered) => got.push(rendered));
    await nextTurn();
    asked[0]?.finish([null]);
    renderer.render(slotOf('failed'), (rendered) => got.push(rendered));
    await nextTurn();
    asked[1]?.fail(new Error('the worker is gone'));
    await nextTurn();
    expect(got).toEqual([null, problems.internal]);
    expect(errors).toHaveLength(1);
    expect(renderer.cached(slotOf('failed'), 0)).toBeNull();
  });

  it('refuses at once what the queue cannot hold, by number and by bytes', () => {
    let got: unknown = null;
    const keep: OnRendered = (rendered) => {
      got = rendered;
    };
    renderer.render(slotOf('huge', pendingBytesMax), keep);
    expect(got).toBeNull();
    renderer.render(slotOf('more', 1), keep);
    expect(got).toBe(problems.overloaded);

    renderer = new Renderer(pool, work, new EventLoopLag(), (error) => errors.push(error));
    for (let at = 0; at < pendingTasksMax; at += 1) renderer.render(slotOf(`${at}`, 1), ignore);
    got = null;
    renderer.render(slotOf('one more', 1), keep);
    expect(got).toBe(problems.overloaded);
  });

  it('splices by itself once it has the document, and only mutated bodies', async () => {
    const first = await knownSlot();
    const ready = renderer.spliced(first) as RenderedParts;
    const text = Buffer.from(ready.raw ?? []).toString('utf8', 0, ready.rawLength);
    expect(text).toBe('{"data":{"n":2}');
    expect(renderer.cached(first, 0)).toBe(ready);
    expect(renderer.spliced(slotOf('a', 7))).toBeNull();
  });

  it('refuses to splice in a turn that has gone on for too long, and goes on in the next', async () => {
    const slot = await knownSlot();
    const until = performance.now() + turnBehindMsMax + 1;
    while (performance.now() < until);
    expect(renderer.spliced(slot)).toBe(problems.overloaded);
    await vi.waitUntil(() => renderer.spliced(slot) !== problems.overloaded);
    expect(renderer.cached(slot, 0)).not.toBeNull();
  });
});

/** A slot of a mutated body whose document the renderer has. */
async function knownSlot(): Promise<RenderSlot> {
  const mapping = parseMapping(Buffer.from('[{"segment":"s","when":{},"merge":{"n":2}}]'));
  if (!mapping.ok) throw new Error('the mapping is valid');
  const slot = slotOf('a', 7, new Selection(mapping.rules, [0]));
  expect(renderer.spliced(slot)).toBeNull();
  renderer.render(slot, ignore);
  await nextTurn();
  const json = stripJsonc(Buffer.from('{"n":1}'), 10) as Uint8Array;
  asked.find(({ task }) => task.type === 'document')?.finish(work.index(json));
  await nextTurn();
  return slot;
}
