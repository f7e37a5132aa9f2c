/** `traceparent`, by the examples and rules of W3C Trace Context (https://www.w3.org/TR/trace-context/#traceparent-header). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTraceparent, traceFields } from '../../../../src/management/tracing/trace-context.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('names a span of the caller, and whether it is recorded', () => {
    const sampled = parseTraceparent(`00-${traceId}-${spanId}-01`);
    expect(sampled).toEqual({ traceId, spanId, isSampled: true });
    const notSampled = parseTraceparent(`00-${traceId}-${spanId}-00`);
    expect(notSampled).toEqual({ traceId, spanId, isSampled: false });
    expect([sampled, notSampled].map((context) => context && traceFields(context))).toEqual([
      { trace_id: traceId, span_id: spanId, trace_flags: '01' },
      { trace_id: traceId, span_id: spanId, trace_flags: '00' },
    ]);
  });

  it('may have flags that are not known, of which only the lowest counts', () => {
    expect(parseTraceparent(`00-${traceId}-${spanId}-ff`)?.isSampled).toBe(true);
    expect(parseTraceparent(`00-${traceId}-${spanId}-fe`)?.isSampled).toBe(false);
  });

  it('is read in a later version as well, whatever that appends', () => {
    const context = { traceId, spanId, isSampled: true };
    expect(parseTraceparent(`01-${traceId}-${spanId}-01`)).toEqual(context);
    expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-the-future-will-be-like`)).toEqual(
      context,
    );
  });

  it.each<[why: string, header: string | string[] | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['of version ff', `ff-${traceId}-${spanId}-01`],
    ['of version 00 with more behind it', `00-${traceId}-${spanId}-01-more`],
    ['of a later version with more behind it, and no dash', `cc-${traceId}-${spanId}-01.more`],
    ['with an all-zero trace id', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['with an all-zero span id', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['in upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['too short', `00-${traceId.slice(1)}-${spanId}-01`],
    ['too long', `cc-${traceId}-${spanId}-01-${'x'.repeat(300)}`],
    ['with a space', ` 00-${traceId}-${spanId}-01`],
    ['with a line break behind it', `00-${traceId}-${spanId}-01\n`],
    ['sent twice', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ['a list', [`00-${traceId}-${spanId}-01`]],
  ])('is ignored when it is %s', (_, header) => {
    expect(parseTraceparent(header)).toBeNull();
  });

  it('gives ids of hexadecimal digits or nothing, whatever is sent', () => {
    const near = fc.stringMatching(
      /^[0-9a-fA-F]{2}-[0-9a-g]{31,33}-[0-9a-f]{15,17}-[0-9a-f]{2}.?$/,
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (header) => {
        const context = parseTraceparent(header);
        if (context === null) return;
        expect(context.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
        expect(context.spanId).toMatch(/^(?!0+$)[0-9a-f]{16}$/);
        expect(header.slice(0, 52)).toMatch(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}$/);
      }),
    );
  });
});
