import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { SelectionBudget } from '../../../../src/content/selection-budget.js';
import {
  flagKeptBytesMax,
  flagMissesBytesMax,
  flagsKeptBytesMax,
} from '../../../../src/delivery/limits.js';
import { FlagResponses } from '../../../../src/delivery/ofrep/flag-responses.js';
import { flagNotFound } from '../../../../src/delivery/ofrep/ofrep-errors.js';
import { type FlagMiss, FlagResponse } from '../../../../src/delivery/render/flag-response.js';
import type { RenderSlot } from '../../../../src/delivery/render/render-slot.js';
import { Coding, Form } from '../../../../src/delivery/render/render-task.js';
import { ServedState } from '../../../../src/delivery/render/served-state.js';

const compress = async (bytes: Uint8Array) => gzipSync(bytes);
const unexpected = (error: unknown) => {
  throw error;
};
const budget = new SelectionBudget(1e6, false);

/** A content item with one version line and no rules. */
function contentOf(json: string): ServedState {
  const line = { version: '0.0.0', digest: json, hash: '0', bytes: json.length };
  const row = {
    lines: [line],
    mapping: null,
    mappingDigest: '',
    flags: [],
  };
  return new ServedState('c', row, () => undefined, budget);
}

function slotOf(content: ServedState = contentOf('{}')): RenderSlot {
  const caller = makeEvaluationContext('u', {}, null);
  return content.slot(caller, Form.Wrapped, Coding.Identity, 0) as RenderSlot;
}

const missOf = (key: string) => flagNotFound(key, 'There is nothing.');

function responseOf(key: string, length: number): FlagResponse {
  return new FlagResponse(key, new Uint8Array(length), 0);
}

describe('kept flags', () => {
  it('are found at their slot, by key', () => {
    const responses = new FlagResponses({ compress }, unexpected);
    const [slot, other] = [slotOf(), slotOf()];
    const kept = responseOf('a', 10);
    expect(responses.find(slot, 'a', 0)).toBeUndefined();
    responses.keep(slot, kept);
    expect(responses.find(slot, 'a', 0)).toBe(kept);
    expect(responses.find(slot, 'b', 0)).toBeUndefined();
    expect(responses.find(other, 'a', 0)).toBeUndefined();
  });

  it('hold no more than they may, and those in use stay', () => {
    const responses = new FlagResponses({ compress }, unexpected);
    const slot = slotOf();
    const used = responseOf('used', 10);
    responses.keep(slot, used);
    const length = flagKeptBytesMax / 2;
    const count = (2 * flagsKeptBytesMax) / length;
    for (let at = 0; at < count; at += 1) {
      responses.keep(slot, responseOf(`${at}`, length));
      expect(responses.find(slot, 'used', 1_000 * (at + 1))).toBe(used);
      expect(responses.bytes).toBeLessThanOrEqual(flagsKeptBytesMax);
    }
    expect(responses.find(slot, '0', 0)).toBeUndefined();
    expect(slot.flags?.size).toBeLessThan(count);
    expect(responses.evictions).toBe(count + 1 - (slot.flags?.size ?? 0));
    const large = responseOf('large', flagKeptBytesMax + 1);
    responses.keep(slot, large);
    expect(responses.find(slot, 'large', 0)).toBeUndefined();
  });

  it('are found again after the same flag was evaluated twice and one of the two is forgotten', () => {
    const responses = new FlagResponses({ compress }, unexpected);
    const slot = slotOf();
    const [first, second] = [responseOf('a', 10), responseOf('a', 10)];
    responses.keep(slot, first);
    const one = responses.bytes;
    responses.keep(slot, second);
    expect(responses.find(slot, 'a', 0)).toBe(second);
    expect(responses.bytes).toBe(one);
    expect(responses.evictions).toBe(0);
  });

  it('are forgotten, in later turns, once an edit has put another content item in place of theirs', async () => {
    const responses = new FlagResponses({ compress }, unexpected);
    const [edited, other] = [contentOf('{}'), contentOf('[]')];
    const [slot, otherSlot] = [slotOf(edited), slotOf(other)];
    const stays = responseOf('stays', 10);
    responses.keep(otherSlot, stays);
    const before = responses.bytes;
    for (let at = 0; at < 50_000; at += 1) responses.keep(slot, responseOf(`${at}`, 10));
    responses.keepMiss(slot, 'miss', missOf('miss'));
    edited.release();
    expect(responses.bytes).toBeGreaterThan(before);
    // A request under way, which has chosen before the edit.
    responses.keep(slot, responseOf('late', 10));
    responses.keepMiss(slot, 'late miss', missOf('late miss'));
    await expect.poll(() => responses.bytes).toBe(before);
    expect(responses.find(otherSlot, 'stays', 0)).toBe(stays);
  });

  it('are forgotten with the selection that makes room for others', async () => {
    const responses = new FlagResponses({ compress }, unexpected);
    const small = new SelectionBudget(3_000, false);
    const line = { version: '0.0.0', digest: 'd', hash: '0', bytes: 2 };
    const rules = Array.from({ length: 10 }, (_, at) => ({
      ...{ segment: `s${at}`, when: { level: at }, merge: { at } },
    }));
    const mapping = Buffer.from(JSON.stringify(rules));
    const row = {
      lines: [line],
      mapping,
      mappingDigest: 'm',
      flags: [],
    };
    const content = new ServedState('c', row, () => undefined, small);
    const sizes: number[] = [];
    for (const [level] of rules.entries()) {
      const caller = makeEvaluationContext('u', { level }, null);
      const slot = content.slot(caller, Form.Wrapped, Coding.Identity, 0) as RenderSlot;
      responses.keep(slot, responseOf('a', 10));
      await nextTurn();
      sizes.push(responses.bytes);
    }
    expect(Math.max(...sizes)).toBeLessThan(10 * (sizes[0] as number));
    expect(sizes.at(-1)).toBe(sizes.at(-2));
  });

  it('are not driven out by keys that name nothing', () => {
    const responses = new FlagResponses({ compress }, unexpected);
    const slot = slotOf();
    const kept = responseOf('a', 10);
    responses.keep(slot, kept);
    const before = responses.bytes;
    const misses = Math.ceil(flagMissesBytesMax / 1_000);
    for (let at = 0; at < misses; at += 1) {
      responses.keepMiss(slot, `${at}`, missOf(`${at}`));
      expect(responses.bytes).toBeLessThanOrEqual(before + flagMissesBytesMax);
    }
    expect(responses.find(slot, 'a', 1_000)).toBe(kept);
    expect(responses.find(slot, '0', 1_000)).toBeUndefined();
    const last = responses.find(slot, `${misses - 1}`, 1_000);
    expect((last as FlagMiss).problem.status).toBe(404);
  });

  it('are compressed from the second request on, and counted with that', async () => {
    const responses = new FlagResponses({ compress }, unexpected);
    const slot = slotOf();
    const kept = responseOf('a', 5_000);
    responses.keep(slot, kept);
    const before = responses.bytes;
    responses.pack(slot, kept);
    expect(kept.isPacking).toBe(false);
    responses.pack(slot, kept);
    expect(kept.isPacking).toBe(true);
    await expect.poll(() => kept.packed).not.toBeNull();
    expect(responses.bytes).toBe(before + (kept.packed as Uint8Array).byteLength);
    expect(responses.find(slot, 'a', 0)).toBe(kept);
  });

  it('are sent as they are where compressing fails', async () => {
    let tried = 0;
    const logged: unknown[] = [];
    const failure = new Error('no worker');
    const compress = () => {
      tried += 1;
      return Promise.reject(failure);
    };
    const responses = new FlagResponses({ compress }, (error) => logged.push(error));
    const slot = slotOf();
    const kept = responseOf('a', 5_000);
    responses.keep(slot, kept);
    responses.pack(slot, kept);
    responses.pack(slot, kept);
    await expect.poll(() => kept.isPacking).toBe(false);
    expect([tried, kept.packed, logged]).toEqual([1, null, [failure]]);
    responses.pack(slot, kept);
    expect(tried).toBe(2);
  });
});
