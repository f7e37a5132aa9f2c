import { crc32, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EvaluationContext } from '../../../src/content/evaluation-context.js';
import { parseMapping } from '../../../src/content/mapping/mapping.js';
import { Selection } from '../../../src/content/selection.js';
import { NO_VERSION } from '../../../src/content/version.js';
import { renderBody } from '../../../src/delivery/render/body-renderer.js';
import { TailHead } from '../../../src/delivery/render/caller-tail.js';
import { type CombinedEntry, combine, combineGzip } from '../../../src/delivery/render/combine.js';
import {
  crc32Join,
  crc32Of,
  crc32Shift,
  crc32Shifter,
} from '../../../src/delivery/render/crc32.js';
import { chooseDocumentWork } from '../../../src/delivery/render/document-work.js';
import { RenderSlot } from '../../../src/delivery/render/render-slot.js';
import { Coding, Form } from '../../../src/delivery/render/render-task.js';
import { responseBytes, suffixOf } from '../../../src/delivery/render/responses.js';

const work = chooseDocumentWork('off');
const caller = new EvaluationContext('player-1', {}, '', NO_VERSION);
const ids = `${caller.uid},"mod":${caller.mod}`;
const sizes = fc.constantFrom(2, 10, 500, 1_000, 1_500, 5_000, 70_000);

/** JSON of about that many bytes that does not compress to nothing. */
function jsonOf(size: number, seed: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < size - 2) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += state.toString(36);
  }
  return JSON.stringify(text.slice(0, Math.max(0, size - 2)));
}

function slotOf(json: string, form: Form, coding: Coding, segments: readonly string[]): RenderSlot {
  const mapping = parseMapping(
    Buffer.from(JSON.stringify(segments.map((segment) => ({ segment, when: {} })))),
  );
  if (!mapping.ok) throw new Error('the mapping is valid');
  const choices = segments.map(() => 0);
  const selection = form === Form.Plain ? null : new Selection(mapping.rules, choices);
  const line = {
    version: NO_VERSION,
    versionText: '',
    digest: 'd',
    hash: '0123456789abcdef',
    index: 0,
    bytes: Buffer.byteLength(json),
    tailHead: new TailHead('0123456789abcdef'),
  };
  return new RenderSlot(line, selection, '', form, coding);
}

function expected(json: string, form: Form, segments: readonly string[]): string {
  if (form === Form.Plain) return json;
  const seg = segments.map((n) => JSON.stringify({ n, v: null })).join(',');
  const data = form === Form.Serialized ? JSON.stringify(json) : json;
  return `{"data":${data},"hash":"0123456789abcdef","meta":{"uid":${ids},"seg":[${seg}]}}`;
}

describe('CRC-32', () => {
  it('is what zlib says, in one piece and in several', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.uint8Array({ maxLength: 400 }), (a, b) => {
        const first = crc32Of(0, a, 0, a.byteLength);
        const second = crc32Of(0, b, 0, b.byteLength);
        const both = Buffer.concat([a, b]);
        const joined = crc32(both);
        if (a.byteLength > 0) expect(first).toBe(crc32(a));
        expect(crc32Of(first, b, 0, b.byteLength)).toBe(joined);
        expect(crc32Join(first, second, crc32Shift(b.byteLength))).toBe(joined);
        expect((crc32Shifter(b.byteLength)(first) ^ second) >>> 0).toBe(joined);
      }),
    );
  });
});

describe('an answer put together behind cached bytes', () => {
  it('is the same in every coding, however often it is written', () => {
    const forms = fc.constantFrom(Form.Wrapped, Form.Serialized, Form.Plain);
    const segments = fc.array(fc.constantFrom('a', 'ö', 'x'.repeat(120)), { maxLength: 4 });
    fc.assert(
      fc.property(sizes, forms, segments, segments, (size, form, mine, others) => {
        const json = jsonOf(size, size);
        const bytes = Buffer.from(json);
        for (const coding of [Coding.Identity, Coding.Gzip]) {
          const slot = slotOf(json, form, coding, mine);
          const parts = renderBody(work, slot.task, bytes, []);
          // Another content with the same body and other names is answered from the same bytes.
          for (const names of [mine, others, mine]) {
            const answer = responseBytes(slotOf(json, form, coding, names), parts, caller);
            const whole = answer.coding === Coding.Gzip ? gunzipSync(answer.bytes) : answer.bytes;
            expect(Buffer.from(whole).toString()).toBe(expected(json, form, names));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('takes a tail that is longer than a stored block', () => {
    const json = jsonOf(5_000, 1);
    const names = Array.from({ length: 500 }, (_, n) => `${n}-${'n'.repeat(120)}`);
    const slot = slotOf(json, Form.Wrapped, Coding.Gzip, []);
    const parts = renderBody(work, slot.task, Buffer.from(json), []);
    const answer = responseBytes(slotOf(json, Form.Wrapped, Coding.Gzip, names), parts, caller);
    expect(gunzipSync(answer.bytes).toString()).toBe(expected(json, Form.Wrapped, names));
  });

  it('leaves alone what is smaller than what compressing costs', () => {
    const slot = slotOf('{"a":1}', Form.Wrapped, Coding.Gzip, []);
    const parts = renderBody(work, slot.task, Buffer.from('{"a":1}'), []);
    expect(responseBytes(slot, parts, caller).coding).toBe(Coding.Identity);
  });
});

describe('a combined answer', () => {
  it('is the single answers side by side, compressed or not', () => {
    const form = fc.constantFrom(Form.Wrapped, Form.Plain, Form.Serialized);
    fc.assert(
      fc.property(form, fc.array(sizes, { minLength: 1, maxLength: 6 }), (each, lengths) => {
        const texts = lengths.map((size, at) => jsonOf(size, at));
        const shown = texts.map((json, at) => `"id-${at}":${expected(json, each, ['s'])}`);
        const whole = `{${shown.join(',')}}`;
        const entries = (coding: Coding): CombinedEntry[] =>
          texts.map((json, at) => {
            const slot = slotOf(json, each, coding, ['s']);
            const name = Buffer.from(`${at === 0 ? '' : ','}"id-${at}":`);
            const parts = renderBody(work, slot.task, Buffer.from(json), []);
            return { name, slot, parts, suffix: suffixOf(slot, parts) };
          });
        const limit = 10_000_000;
        const plain = combine(entries(Coding.Identity), caller, limit);
        expect(Buffer.from(plain ?? []).toString()).toBe(whole);
        const packed = combineGzip(entries(Coding.Gzip), caller, limit);
        expect(gunzipSync(packed ?? new Uint8Array()).toString()).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });

  it('is refused when it is larger than it may be', () => {
    const slot = slotOf('"x"', Form.Plain, Coding.Identity, []);
    const parts = renderBody(work, slot.task, Buffer.from('"x"'), []);
    const entries = ['"a":', ',"A":'].map((name) => ({
      ...{ name: Buffer.from(name), slot, parts, suffix: null },
    }));
    expect(combine(entries, caller, 16)).toBeNull();
    expect(Buffer.from(combine(entries, caller, 17) ?? []).toString()).toBe('{"a":"x","A":"x"}');
    expect(combineGzip(entries, caller, 20)).toBeNull();
  });

  it('of a single entry is not refused: the same content is delivered on its own', () => {
    const slot = slotOf('"x"', Form.Plain, Coding.Identity, []);
    const parts = renderBody(work, slot.task, Buffer.from('"x"'), []);
    const entries = [{ name: Buffer.from('"a":'), slot, parts, suffix: null }];
    expect(Buffer.from(combine(entries, caller, 1) ?? []).toString()).toBe('{"a":"x"}');
    expect(gunzipSync(combineGzip(entries, caller, 1) as Uint8Array).toString()).toBe('{"a":"x"}');
  });
});
