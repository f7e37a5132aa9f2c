/** What one look at /metrics says of the server: its control process, and each of its listeners. */
import { type Metrics, parseMetrics } from './metrics-text.js';

export interface ListenerSample {
  /** Number of its slot, from 0: a listener that is restarted keeps it. */
  readonly slot: number;
  /** Answers since it started, by `endpoint status`. */
  readonly requests: ReadonlyMap<string, number>;
  /** Rejected requests since it started, by the code of their problem. */
  readonly refused: ReadonlyMap<string, number>;
  /** Answers since it started, by the upper bound of their time in seconds; each bound counts the lower ones too. */
  readonly latency: ReadonlyMap<number, number>;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  readonly cacheBytes: number;
  readonly cacheEntries: number;
  readonly poolQueue: number;
  readonly connections: number;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
  readonly loopDelaySeconds: number;
  readonly sequence: number;
  readonly startedAtSeconds: number;
  readonly isNative: boolean;
}

export interface ControlSample {
  readonly residentBytes: number;
  readonly cpuSeconds: number;
  readonly loopDelaySeconds: number;
  readonly startedAtSeconds: number;
}

export interface Sample {
  readonly atMs: number;
  readonly listeners: readonly ListenerSample[];
  readonly listenersWanted: number;
  /** The newest that is published. */
  readonly sequence: number;
  readonly control: ControlSample;
  readonly webhooks: {
    readonly pending: number;
    readonly failing: number;
    readonly disabled: number;
  };
}

export function sampleOf(text: string, atMs: number): Sample {
  const metrics = parseMetrics(text);
  const slots = new Set<number>();
  for (const { labels } of metrics.get('loadout_published_sequence') ?? []) {
    slots.add(Number(labels['listener']));
  }
  return {
    atMs,
    listeners: [...slots]
      .sort((one, other) => one - other)
      .map((slot) => listenerOf(metrics, slot)),
    listenersWanted: single(metrics, 'loadout_listeners_wanted'),
    sequence: single(metrics, 'loadout_sequence'),
    control: {
      residentBytes: single(metrics, 'loadout_control_resident_bytes'),
      cpuSeconds: single(metrics, 'loadout_control_cpu_seconds_total'),
      loopDelaySeconds: single(metrics, 'loadout_control_event_loop_delay_p99_seconds'),
      startedAtSeconds: single(metrics, 'loadout_control_start_time_seconds'),
    },
    webhooks: {
      pending: single(metrics, 'loadout_webhook_deliveries_pending'),
      failing: single(metrics, 'loadout_webhooks_failing'),
      disabled: single(metrics, 'loadout_webhooks_disabled'),
    },
  };
}

function listenerOf(metrics: Metrics, slot: number): ListenerSample {
  const read = (name: string): number => ofSlot(metrics, name, slot)[0]?.value ?? 0;
  const requests = new Map<string, number>();
  for (const { labels, value } of ofSlot(metrics, 'loadout_requests_total', slot)) {
    requests.set(`${labels['endpoint']} ${labels['status']}`, value);
  }
  const refused = new Map<string, number>();
  for (const { labels, value } of ofSlot(metrics, 'loadout_refused_total', slot)) {
    refused.set(labels['code'] ?? '', value);
  }
  // All endpoints together: a bound's count is the sum of theirs.
  const latency = new Map<number, number>();
  for (const { labels, value } of ofSlot(metrics, 'loadout_request_seconds_bucket', slot)) {
    const bound = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']);
    latency.set(bound, (latency.get(bound) ?? 0) + value);
  }
  return {
    slot,
    requests,
    refused,
    latency,
    cacheHits: read('loadout_rendered_cache_hits_total'),
    cacheMisses: read('loadout_rendered_cache_misses_total'),
    cacheBytes: read('loadout_rendered_cache_bytes'),
    cacheEntries: read('loadout_rendered_cache_entries'),
    poolQueue: read('loadout_pool_queue'),
    connections: read('loadout_connections'),
    residentBytes: read('loadout_resident_bytes'),
    cpuSeconds: read('loadout_cpu_seconds_total'),
    loopDelaySeconds: read('loadout_event_loop_delay_p99_seconds'),
    sequence: read('loadout_published_sequence'),
    startedAtSeconds: read('loadout_start_time_seconds'),
    isNative: read('loadout_native') === 1,
  };
}

function ofSlot(metrics: Metrics, name: string, slot: number) {
  return (metrics.get(name) ?? []).filter(({ labels }) => Number(labels['listener']) === slot);
}

function single(metrics: Metrics, name: string): number {
  return metrics.get(name)?.[0]?.value ?? 0;
}
