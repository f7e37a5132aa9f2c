/** Prometheus text, as the health screen reads it. */
import { describe, expect, it } from 'vitest';
import { parseMetrics } from '../../../../src/console/health/charts/metrics-text.js';

describe('parseMetrics', () => {
  it('reads names, labels and values, and passes over comments and empty lines', () => {
    const metrics = parseMetrics(
      [
        '# HELP a_total What it is.',
        '# TYPE a_total counter',
        'a_total{listener="0",endpoint="dynamic"} 12',
        'a_total{listener="1",endpoint="dynamic"} 3.5e2',
        '',
        'b 7',
      ].join('\n'),
    );
    expect(metrics.get('a_total')).toEqual([
      { labels: { listener: '0', endpoint: 'dynamic' }, value: 12 },
      { labels: { listener: '1', endpoint: 'dynamic' }, value: 350 },
    ]);
    expect(metrics.get('b')).toEqual([{ labels: {}, value: 7 }]);
    expect(metrics.size).toBe(2);
  });

  it('reads what a label may hold: braces, commas, escaped quotes, line ends', () => {
    const [sample] = parseMetrics('a{one="x,}{",two="say \\"hi\\"\\n\\\\"} 1').get('a') ?? [];
    expect(sample).toEqual({ labels: { one: 'x,}{', two: 'say "hi"\n\\' }, value: 1 });
  });

  it('reads infinity, no number, and a value before a timestamp', () => {
    const value = (line: string) => parseMetrics(line).get('a')?.[0]?.value;
    expect(value('a +Inf')).toBe(Number.POSITIVE_INFINITY);
    expect(value('a -Inf')).toBe(Number.NEGATIVE_INFINITY);
    expect(value('a NaN')).toBeNaN();
    expect(value('a{} 5 1700000000000')).toBe(5);
  });

  it('passes over what is no sample', () => {
    expect(parseMetrics('<html>\n{"status":"ok"}\n\r\n').size).toBe(0);
  });
});
