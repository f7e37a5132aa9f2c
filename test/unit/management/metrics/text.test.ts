import { describe, expect, it } from 'vitest';
import { healthFigures } from '../../../../src/management/health/figures.js';
import { metricsText } from '../../../../src/management/metrics/text.js';
import type { MeasuredProcess } from '../../../../src/management/processes/supervisor.js';
import type { DeliveryMetrics } from '../../../../src/published/barrier.js';

function measures(sequence: number): DeliveryMetrics {
  return {
    sequence,
    rssBytes: 1,
    connections: 1,
    requests: [],
    refused: [['invalid_api_key', 4]],
    latencyBoundsSeconds: [],
    latencies: [],
    renderedHits: 3,
    renderedMisses: 0,
    renderedInline: 0,
    documentWork: 'native',
    renderedBytes: 0,
    renderedEntries: 0,
    evictions: [
      ['rendered', 3],
      ['keys', 0],
    ],
    ...{ openDescriptors: sequence > 7 ? null : 21, descriptorsMax: 1_000 },
    selectionsBytes: 0,
    selectionsEntries: 0,
    ...{ assignedExperiments: 0, assignedBytes: 0, assignedUncounted: 0 },
    poolQueued: 0,
    poolTasks: 0,
    poolSeconds: 0,
    logLinesDropped: 2,
    eventsTaken: [
      ['game', 5],
      ['events', 3],
    ],
    eventsRefused: [['too_old', 2]],
    eventQueueBytes: 100,
    eventsBlocked: sequence > 7,
    rulesMissed: 0,
    utcOffsetsMissing: 0,
    unsentBytes: 5,
    closedOverBudget: 1,
    closedSlow: 2,
    streams: 3,
    streamsWaiting: 1,
    streamsMax: 100,
    streamsLooked: 7,
    streamEvents: 5,
    streamsEnded: [['client', 2]],
    frontEnd: [{ check: 'two_hosts', passed: sequence > 7 }],
    eventLoopDelayP99Seconds: sequence,
    cpuSeconds: 2,
    startedAtSeconds: sequence,
  };
}

const load = { loopDelayP99Seconds: 0.003, cpuSeconds: 12.5, startedAtSeconds: 1_700_000_000 };

const logLinesDropped = { control: 5, delivery: 1 };

async function linesOf(processes: readonly MeasuredProcess[], sequence: number) {
  const text = await metricsText({
    processes,
    wanted: 1,
    restarts: { died: 2, killed: 0, replaced: 3 },
    sequence,
    load,
    logLinesDropped,
    gauges: [],
    histograms: [],
  });
  return text.split('\n');
}

describe('metrics, while a slot has two processes', () => {
  it('adds up what they counted, and shows the older sequence and the longer delay', async () => {
    const processes = [
      { slot: 0, pid: 1, measures: measures(7) },
      { slot: 0, pid: 2, measures: measures(8) },
    ];
    const lines = await linesOf(processes, 8);
    expect(lines).toContain('loadout_rendered_cache_hits_total{listener="0"} 6');
    expect(lines).toContain('loadout_refused_total{listener="0",code="invalid_api_key"} 8');
    expect(lines).toContain('loadout_published_sequence{listener="0"} 7');
    expect(lines).toContain('loadout_native{listener="0"} 1');
    expect(lines).toContain('loadout_cache_evictions_total{listener="0",cache="rendered"} 6');
    // Of the process that knows.
    expect(lines).toContain('loadout_open_fds{listener="0"} 21');
    expect(lines).toContain('loadout_max_fds{listener="0"} 1000');
    expect(lines).toContain('loadout_event_loop_delay_p99_seconds{listener="0"} 8');
    expect(lines).toContain('loadout_cpu_seconds_total{listener="0"} 4');
    expect(lines).toContain('loadout_start_time_seconds{listener="0"} 8');
    expect(lines).toContain('loadout_log_lines_dropped_total{process="control"} 5');
    expect(lines).toContain('loadout_log_lines_dropped_total{process="delivery"} 5');
  });
});

describe('metrics of the control process', () => {
  it('are there without any listener, the newest sequence among them', async () => {
    const lines = await linesOf([], 9);
    expect(lines).toContain('loadout_sequence 9');
    expect(lines).toContain('loadout_listeners 0');
    expect(lines).toContain('loadout_listeners_wanted 1');
    expect(lines).toContain('# TYPE loadout_control_cpu_seconds_total counter');
    expect(lines).toContain('loadout_control_cpu_seconds_total 12.5');
    expect(lines).toContain('loadout_control_event_loop_delay_p99_seconds 0.003');
    expect(lines).toContain('loadout_control_start_time_seconds 1700000000');
    expect(lines).toContain('# TYPE loadout_listener_restarts_total counter');
    expect(lines).toContain('loadout_listener_restarts_total{reason="died"} 2');
    expect(lines).toContain('loadout_listener_restarts_total{reason="killed"} 0');
    expect(lines).toContain('loadout_listener_restarts_total{reason="replaced"} 3');
    expect(lines.some((line) => /^loadout_control_resident_bytes \d+$/.test(line))).toBe(true);
  });
});

describe('the figures of the Health screen', () => {
  const figuresOf = (...processes: readonly MeasuredProcess[]) =>
    healthFigures(
      {
        processes,
        wanted: 2,
        restarts: { died: 0, killed: 0, replaced: 0 },
        sequence: 8,
        load,
        logLinesDropped,
      },
      null,
      { clockAheadMs: -1_500, isClockSkewed: true },
    );
  const counted: DeliveryMetrics = {
    ...measures(7),
    requests: [
      ['dynamic', 200, 5],
      ['dynamic', 404, 1],
    ],
    latencyBoundsSeconds: [0.001, 0.01],
    latencies: [
      { endpoint: 'dynamic', counts: [4, 1, 1], sumSeconds: 1 },
      { endpoint: 'catalog', counts: [1, 0, 0], sumSeconds: 1 },
    ],
  };

  it('have an entry for each slot, with counts by name and times with their unit', () => {
    const { deliveryProcesses, control, ...rest } = figuresOf(
      { slot: 1, pid: 2, measures: measures(8) },
      { slot: 0, pid: 1, measures: counted },
    );
    expect(rest).toEqual({
      sequence: 8,
      deliveryProcessesWanted: 2,
      clockAheadSeconds: -1.5,
      clockSkewed: true,
      webhooks: null,
    });
    expect(control).toMatchObject({
      cpuSeconds: 12.5,
      eventLoopDelayP99Seconds: 0.003,
      startedAt: '2023-11-14T22:13:20.000Z',
    });
    expect(deliveryProcesses.map(({ slot }) => slot)).toEqual([0, 1]);
    expect(deliveryProcesses[0]).toMatchObject({
      requests: { dynamic: { 200: 5, 404: 1 } },
      rejected: { invalid_api_key: 4 },
      streams: { open: 3, openMax: 100, waiting: 1, events: 5, ended: { client: 2 } },
      latency: { boundsSeconds: [0.001, 0.01], counts: [5, 1, 1] },
    });
  });

  it('combine two processes of one slot as /metrics does', () => {
    const { deliveryProcesses } = figuresOf(
      { slot: 0, pid: 1, measures: counted },
      { slot: 0, pid: 2, measures: { ...counted, ...{ sequence: 8, startedAtSeconds: 9 } } },
    );
    expect(deliveryProcesses).toHaveLength(1);
    expect(deliveryProcesses[0]).toMatchObject({
      sequence: 7,
      startedAt: '1970-01-01T00:00:09.000Z',
      eventLoopDelayP99Seconds: 7,
      cpuSeconds: 4,
      cacheHits: 6,
      requests: { dynamic: { 200: 10, 404: 2 } },
      rejected: { invalid_api_key: 8 },
      streams: { open: 6, openMax: 200, waiting: 2, events: 10, ended: { client: 4 } },
      latency: { boundsSeconds: [0.001, 0.01], counts: [10, 2, 2] },
    });
  });
});
