import { describe, expect, it } from 'vitest';
import { metricsText } from '../../../src/management/metrics.js';
import type { DeliveryMeasures } from '../../../src/published/barrier.js';

function measures(sequence: number): DeliveryMeasures {
  return {
    sequence,
    rssBytes: 1,
    connections: 1,
    requests: [],
    latencyBoundsSeconds: [],
    latencies: [],
    renderedHits: 3,
    renderedMisses: 0,
    renderedInline: 0,
    documentWork: 'native',
    renderedBytes: 0,
    renderedEntries: 0,
    poolQueued: 0,
    poolTasks: 0,
    poolSeconds: 0,
    rulesMissed: 0,
    eventLoopDelayP99Seconds: sequence,
  };
}

describe('metrics, while a slot has two processes', () => {
  it('adds up what they counted, and shows the older sequence and the longer delay', async () => {
    const listeners = [
      { slot: 0, pid: 1, measures: measures(7) },
      { slot: 0, pid: 2, measures: measures(8) },
    ];
    const lines = (await metricsText(listeners, 1)).split('\n');
    expect(lines).toContain('loadout_rendered_cache_hits_total{listener="0"} 6');
    expect(lines).toContain('loadout_published_sequence{listener="0"} 7');
    expect(lines).toContain('loadout_native{listener="0"} 1');
    expect(lines).toContain('loadout_event_loop_delay_p99_seconds{listener="0"} 8');
  });
});
