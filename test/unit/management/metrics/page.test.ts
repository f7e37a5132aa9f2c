/** Goal: docs/metrics.md says what the code defines. A difference is accepted with `-u`. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { metricGroups } from '../../../../src/management/serve/all-metrics.js';
import { definedMetrics, metricsPage } from '../../../support/metrics-page.js';

const metrics = metricGroups.flatMap((group) => group.metrics);

it('the page of metrics is as the code defines them', async () => {
  const page = fileURLToPath(new URL('../../../../docs/metrics.md', import.meta.url));
  await expect(metricsPage()).toMatchFileSnapshot(page);
});

it('each metric is defined once', () => {
  expect(metrics.length).toBeGreaterThan(80);
  expect(definedMetrics().size).toBe(metrics.length);
});

it('names follow the conventions of Prometheus', () => {
  for (const { name, type, labels, help } of metrics) {
    expect(name).toMatch(/^loadout_[a-z0-9]+(?:_[a-z0-9]+)*$/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(new Set(labels).size).toBe(labels.length);
    expect(help, name).toMatch(/^[A-Z0-9].*[.)]$/);
  }
});
