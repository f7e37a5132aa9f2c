import { expect, it } from 'vitest';
import { ContextSamples } from '../../../../src/management/attributes/context-samples.js';
import {
  sampledContextsBytesMax,
  sampledContextsKeptMs,
  sampledContextsMax,
} from '../../../../src/management/limits/evaluation.js';
import type { SeenTraffic } from '../../../../src/published/traffic.js';

function reported(
  count: number,
  requests: number,
  p: unknown = {},
  environment = 'dev',
): SeenTraffic {
  const json = JSON.stringify({ u: '', p });
  const contexts = Array.from({ length: count }, () => ({ json, isReduced: false }));
  return { environment, names: [], values: [], sampled: { requests, contexts } };
}

const contextsOf = (samples: ContextSamples, environment = 'dev'): { p: unknown }[] =>
  Buffer.from(samples.take(environment).contexts)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

it('takes what is reported, as contexts of a preview', () => {
  const samples = new ContextSamples(() => 5);
  samples.add([reported(2, 2, { a: 1 }), reported(1, 100, { b: 1 }, 'other')]);
  expect(contextsOf(samples)).toEqual([
    { u: '', p: { a: 1 } },
    { u: '', p: { a: 1 } },
  ]);
  expect(samples.take('dev')).toMatchObject({ count: 2, requests: 2, reduced: 0, sinceMs: 5 });
  samples.forget('dev');
  expect(samples.take('dev')).toMatchObject({ count: 0, requests: 0, sinceMs: null });
  expect(samples.environments).toEqual(['other']);
});

it('forgets what is older than a day', () => {
  let now = 0;
  const samples = new ContextSamples(() => now);
  samples.add([reported(3, 3, { old: 1 })]);
  now = sampledContextsKeptMs / 2;
  samples.add([reported(2, 2, { recent: 1 })]);
  now = sampledContextsKeptMs + 1;
  expect(contextsOf(samples)).toEqual([
    { u: '', p: { recent: 1 } },
    { u: '', p: { recent: 1 } },
  ]);
  expect(samples.take('dev')).toMatchObject({ requests: 2, sinceMs: sampledContextsKeptMs / 2 });
});

it('gives each request the same chance, of whichever process and however busy it was', () => {
  const samples = new ContextSamples();
  // Two processes: one had nine times the requests, and both report the same number of contexts.
  for (let report = 0; report < 20; report += 1) {
    samples.add([reported(1_000, 9_000, { of: 'busy' }), reported(1_000, 1_000, { of: 'idle' })]);
  }
  const contexts = contextsOf(samples);
  expect(contexts).toHaveLength(sampledContextsMax);
  const busy = contexts.filter(({ p }) => (p as { of: string }).of === 'busy').length;
  // Without replacement, a little less than nine tenths of a sample that is half of what was reported.
  expect(busy / contexts.length).toBeGreaterThan(0.74);
  expect(busy / contexts.length).toBeLessThan(0.92);
});

it('is bounded over all environments', () => {
  const samples = new ContextSamples();
  const p = { text: 'x'.repeat(1_400) };
  for (let at = 0; at < 60; at += 1) {
    samples.add([reported(1_000, 1_000, p, `env-${at % 6}`)]);
    expect(samples.bytes).toBeLessThanOrEqual(sampledContextsBytesMax);
  }
  expect(samples.take('env-0').count).toBeGreaterThan(1_000);
});
