import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bulksKeptBytesMax } from '../../../../src/delivery/limits.js';
import { BulkBodies, BulkBody } from '../../../../src/delivery/ofrep/bulk-bodies.js';
import { Coding } from '../../../../src/delivery/render/render-task.js';

const tail = Buffer.from(',"metadata":{}}');
const textOf = ({ bytes, coding }: { bytes: Uint8Array; coding: Coding }): string =>
  (coding === Coding.Gzip ? gunzipSync(bytes) : Buffer.from(bytes)).toString();

describe('a kept bulk evaluation', () => {
  it('is its items, and the tail behind them, in both codings', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue().map((value) => JSON.stringify(value))),
        fc.nat(3_000),
        (items, padding) => {
          const bodies = new BulkBodies();
          const all = [...items, JSON.stringify('x'.repeat(padding))];
          const body = new BulkBody(all.map((item) => Buffer.from(item)));
          bodies.keep('k', body);
          const expected = `{"flags":[${all.join(',')}]${tail}`;
          const codings: Coding[] = [];
          for (let round = 0; round < 3; round += 1) {
            const response = bodies.response('k', body, tail, true);
            expect(textOf(response)).toBe(expected);
            codings.push(response.coding);
            expect(textOf(bodies.response('k', body, tail, false))).toBe(expected);
          }
          const later = expected.length >= 1_024 ? Coding.Gzip : Coding.Identity;
          expect(codings).toEqual([Coding.Identity, later, later]);
        },
      ),
    );
  });

  it('has no comma where there is nothing', () => {
    expect(Buffer.from(new BulkBody([]).raw).toString()).toBe('{"flags":[]');
  });

  it('is counted with its compressed form, and forgotten beyond the limit', () => {
    const bodies = new BulkBodies();
    const body = new BulkBody([Buffer.from(JSON.stringify('x'.repeat(5_000)))]);
    bodies.keep('k', body);
    const before = bodies.bytes;
    bodies.response('k', body, tail, true);
    bodies.response('k', body, tail, true);
    expect(bodies.bytes).toBe(before + (body.packed?.packedLength ?? 0));
    expect(bodies.bytes).toBeGreaterThan(before);
    expect(bodies.evictions).toBe(0);
    const large = new BulkBody([new Uint8Array(3 * 1024 * 1024)]);
    for (let at = 0; at < 50; at += 1) {
      bodies.keep(`${at}`, large);
      expect(bodies.bytes).toBeLessThanOrEqual(bulksKeptBytesMax);
    }
    expect(bodies.find('k')).toBeUndefined();
    expect(bodies.find('49')).toBe(large);
    const kept = Array.from({ length: 50 }, (_, at) => bodies.find(`${at}`)).filter(Boolean);
    expect(bodies.evictions).toBe(51 - kept.length);
  });
});
