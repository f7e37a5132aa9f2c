/** Metrics of delivery processes: what each counted since it started, by its slot (D6). No label is made of anything a client sends. */
import type { DeliveryMetrics } from '../../published/barrier.js';
import type { MeasuredProcess } from '../processes/supervisor.js';
import {
  type CountedMetric,
  counted,
  countedHistogram,
  type LabelledValue,
} from './counted-metric.js';
import { histogram, type Metric } from './definition.js';
import { ofProcess, type ProcessNumber, processNumbers } from './process-numbers.js';

interface LabelledNumbers extends Omit<ProcessNumber, 'read'> {
  readonly samples: (measures: DeliveryMetrics) => readonly LabelledValue[];
}

const labelled: readonly LabelledNumbers[] = [
  {
    metric: ofProcess({
      name: 'loadout_requests_total',
      help: 'Responses by endpoint and status.',
      labels: ['endpoint', 'status'],
    }),
    samples: (m) => m.requests.map(([endpoint, status, count]) => [{ endpoint, status }, count]),
  },
  // Apart from the requests, whose labels identify series that dashboards know.
  {
    metric: ofProcess({
      name: 'loadout_refused_total',
      help: 'Rejected requests (4xx and 5xx) by the code of their problem.',
      note: 'The console shows the share under Health.',
      labels: ['code'],
    }),
    samples: (m) => m.refused.map(([code, count]) => [{ code }, count]),
  },
  {
    metric: ofProcess({
      name: 'loadout_streams_ended_total',
      help: 'Streams that ended: the client left or read too slowly; its key was revoked or expired; the process drained; its refresh could not be made.',
      labels: ['reason'],
    }),
    samples: (m) => m.streamsEnded.map(([reason, count]) => [{ reason }, count]),
  },
  {
    metric: ofProcess({
      name: 'loadout_events_taken_total',
      help: 'Events of players that were taken, by the purpose of the key that they came with.',
      labels: ['purpose'],
    }),
    samples: (m) => m.eventsTaken.map(([purpose, count]) => [{ purpose }, count]),
  },
  {
    metric: ofProcess({
      name: 'loadout_events_refused_total',
      help: 'Events of players that were refused for good, by reason.',
      labels: ['reason'],
    }),
    samples: (m) => m.eventsRefused.map(([reason, count]) => [{ reason }, count]),
  },
  {
    metric: ofProcess({
      name: 'loadout_connections_closed_total',
      help: 'Connections closed because of responses that the client had not read, by reason.',
      labels: ['reason'],
    }),
    samples: (m) => [
      [{ reason: 'budget' }, m.closedOverBudget],
      [{ reason: 'slow' }, m.closedSlow],
    ],
  },
  {
    metric: ofProcess({
      name: 'loadout_front_end',
      help: 'What the loaded uWebSockets.js build was tried for at start: 1 passed, 0 failed.',
      labels: ['check'],
    }),
    together: 'min',
    samples: (m) => m.frontEnd.map(({ check, passed }) => [{ check }, passed ? 1 : 0]),
  },
  {
    metric: ofProcess({
      name: 'loadout_cache_evictions_total',
      help: 'Entries that bounded caches of the delivery process let go of for want of room, by cache; what an edit replaced is not counted.',
      labels: ['cache'],
      note: '`rendered` bodies, parsed `documents`, `selections`, hashed `keys`, `flags` and `flag_indexes` and `bulk_bodies` of OFREP. Some are ordinary; where they rise as fast as requests, the cache is too small for what players ask for.',
    }),
    samples: (m) => m.evictions.map(([cache, count]) => [{ cache }, count]),
  },
];

const requestSeconds = histogram({
  name: 'loadout_request_seconds',
  help: 'From reading the head of a request to writing its response.',
  labels: ['listener', 'endpoint'],
});

export const deliveryMetrics: readonly Metric[] = [
  ...processNumbers.map((one) => one.metric),
  ...labelled.map((one) => one.metric),
  requestSeconds,
];

/** In the order of `deliveryMetrics`. */
export function countDelivery(processes: readonly MeasuredProcess[]): CountedMetric[] {
  return [
    ...processNumbers.map(({ read, ...spec }) =>
      perProcess(spec, processes, (m) => {
        const value = read(m);
        return value === null ? [] : [[{}, value]];
      }),
    ),
    ...labelled.map(({ samples, ...spec }) => perProcess(spec, processes, samples)),
    countedHistogram(requestSeconds, processes.flatMap(latenciesOf)),
  ];
}

/** A metric with samples of each process. */
function perProcess(
  { metric, together }: Omit<ProcessNumber, 'read'>,
  processes: readonly MeasuredProcess[],
  samplesOf: (measures: DeliveryMetrics) => readonly LabelledValue[],
): CountedMetric {
  const values = processes.flatMap(({ slot, measures }) =>
    samplesOf(measures).map(([labels, value]) => [{ listener: slot, ...labels }, value] as const),
  );
  return counted(metric, values, together);
}

function latenciesOf({ slot, measures }: MeasuredProcess) {
  const { latencies, latencyBoundsSeconds: boundsSeconds } = measures;
  return latencies.map(({ endpoint, counts, sumSeconds }) => ({
    ...{ labels: { listener: slot, endpoint }, boundsSeconds, counts, sumSeconds },
  }));
}
