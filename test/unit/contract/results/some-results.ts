/** Results of an experiment as the admin API shows them, for tests to change. */
import type {
  Comparison,
  HealthCheck,
  MetricResult,
  Results,
} from '../../../../src/contract/schemas/experiment-results.js';

export function aComparison(more: Partial<Comparison> = {}): Comparison {
  return {
    ...{ variant: 'cheap', control: 'control', method: 'sequential', adjusted: false },
    ...{ effect: 0.05, interval: [-0.02, 0.12], pValue: 0.3, significant: false },
    absolute: { effect: 0.01, interval: [-0.004, 0.024] },
    verdict: 'no_decision',
    ...more,
  };
}

export function aMetric(more: Partial<MetricResult> = {}): MetricResult {
  return {
    ...{ name: 'buyers', kind: 'conversion', role: 'primary', trusted: false, direction: 'up' },
    clientReported: true,
    variants: [
      { name: 'control', users: 1000, mean: 0.2, total: 200 },
      { name: 'cheap', users: 1010, mean: 0.21, total: 212 },
    ],
    comparisons: [aComparison()],
    windowComplete: 2010,
    ...more,
  };
}

export function aCheck(more: Partial<HealthCheck> = {}): HealthCheck {
  const sentence = 'The players who saw a variant are split as the rule asks.';
  return { name: 'srm_exposed', status: 'ok', sentence, pValue: 0.4, ...more };
}

export function someResults(more: Partial<Results> = {}): Results {
  return {
    ...{ experiment: 'prices', phase: 1, days: 3.2, plannedDays: 14, cached: false },
    ...{ computedAt: '2026-11-24T12:00:00Z', dataUntil: '2026-11-24T11:59:00Z' },
    sources: { nodes: ['a'], notes: [] },
    health: { status: 'ok', checks: [aCheck()] },
    variants: [
      {
        ...{ name: 'control', expectedShare: 0.5, assigned: 1020, assignedInSample: 1020 },
        ...{ exposed: 1000, crossovers: 1, contradictions: 0 },
      },
      {
        ...{ name: 'cheap', expectedShare: 0.5, assigned: 1031, assignedInSample: 1031 },
        ...{ exposed: 1010, crossovers: 1, contradictions: 2 },
      },
    ],
    daily: [],
    metrics: [aMetric()],
    cumulative: [],
    ...more,
  };
}
