/** What belongs to which span, across asynchronous calls. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type {
  Span,
  SpanAttributes,
  SpanRequest,
  SpanSource,
} from '../../../../src/management/tracing/span.js';
import { Tracing } from '../../../../src/management/tracing/tracing.js';

class Recorded implements Span {
  readonly context;
  readonly request: SpanRequest;
  isEnded = false;
  reason: string | null = null;

  constructor(request: SpanRequest, number: number) {
    const traceId = request.parent?.traceId ?? `trace ${number}`;
    this.context = { traceId, spanId: `span ${number}`, isSampled: true };
    this.request = request;
  }

  set(_attributes: SpanAttributes): void {}

  fail(reason: string): void {
    this.reason = reason;
  }

  end(): void {
    this.isEnded = true;
  }
}

class Recorder implements SpanSource {
  readonly spans: Recorded[] = [];

  begin(request: SpanRequest): Span {
    const span = new Recorded(request, this.spans.length);
    this.spans.push(span);
    return span;
  }

  gauges(): [] {
    return [];
  }

  async close(): Promise<void> {}

  /** Name, parent and attributes of each. */
  get all(): unknown[] {
    return this.spans.map(({ request: { name, parent, attributes } }) => [
      ...[name, parent?.spanId ?? null, attributes],
    ]);
  }
}

function request(tracing: Tracing): Span {
  return tracing.begin({ name: 'request', kind: 'server', parent: null, attributes: {} });
}

describe('work', () => {
  it('of a request is its child, and has its environment, also after a wait', async () => {
    const [recorder, env] = [new Recorder(), { 'loadout.environment': 'live' }];
    const tracing = new Tracing(recorder);
    await tracing.within(request(tracing), env, async () => {
      await pause(1);
      await tracing.inSpan('write', { at: 1 }, () => tracing.inSpan('work', {}, () => pause(1)));
      tracing.publishing(7, Promise.resolve());
    });
    expect(recorder.all).toEqual([
      ['request', null, {}],
      ['write', 'span 0', { ...env, at: 1 }],
      ['work', 'span 1', env],
      ['publish', 'span 0', { ...env, 'loadout.sequence': 7 }],
    ]);
    expect(recorder.spans.map(({ isEnded }) => isEnded)).toEqual([false, true, true, true]);
  });

  it('of no request has no span, but a publication', async () => {
    const recorder = new Recorder();
    const tracing = new Tracing(recorder);
    expect(await tracing.inSpan('write', {}, async (span) => span)).toBeNull();
    tracing.publishing(7, Promise.resolve());
    expect(recorder.all).toEqual([['publish', null, { 'loadout.sequence': 7 }]]);
  });

  it('that a request has woken is not part of it once it has ended', async () => {
    const recorder = new Recorder();
    const tracing = new Tracing(recorder);
    const span = request(tracing);
    const later = tracing.within(span, {}, async () => {
      await pause(5);
      await tracing.inSpan('write', {}, async () => undefined);
      tracing.publishing(8, Promise.resolve());
    });
    span.end();
    await later;
    expect(recorder.all.slice(1)).toEqual([['publish', null, { 'loadout.sequence': 8 }]]);
  });

  it('that fails says so by the code or the name of its error, not by its message', async () => {
    const recorder = new Recorder();
    const tracing = new Tracing(recorder);
    const failing = (error: Error): Promise<unknown> =>
      tracing.inSpan('write', {}, () => Promise.reject(error)).catch(() => undefined);
    await tracing.within(request(tracing), {}, async () => {
      await failing(new RangeError('a secret'));
      await failing(Object.assign(new Error('a secret'), { code: 'ENOSPC' }));
      tracing.publishing(9, Promise.reject(new TypeError('a secret')));
      await pause(1);
    });
    expect(recorder.spans.map(({ reason }) => reason)).toEqual([
      ...[null, 'RangeError', 'ENOSPC', 'TypeError'],
    ]);
  });
});
