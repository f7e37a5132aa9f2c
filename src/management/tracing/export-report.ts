/** What became of spans: counted for /metrics, and said once in the log when the collector takes none. */
import type { Logger } from 'pino';
import { exportReasonCharsMax, spansWaitingMax } from '../limits/tracing.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';

const onlyIf = '`--otlp-url` is given';
const exportedTotal = metric({
  name: 'loadout_trace_spans_exported_total',
  help: 'Spans that the collector of traces has taken.',
  onlyIf,
});
const droppedTotal = metric({
  name: 'loadout_trace_spans_dropped_total',
  help: 'Spans that were dropped: the collector of traces was away, slow, or rejected them.',
  onlyIf,
});
const waiting = metric({
  name: 'loadout_trace_spans_waiting',
  help: 'Spans that wait for the collector of traces.',
  onlyIf,
});

export const traceMetrics: readonly Metric[] = [exportedTotal, droppedTotal, waiting];

export class ExportReport {
  readonly #log: Logger;
  #waiting = 0;
  #exported = 0;
  #dropped = 0;
  #isFailing = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Room for a span that has ended. @returns false: there is none, and the span is dropped */
  take(): boolean {
    if (this.#waiting >= spansWaitingMax) {
      this.#drop(1, 'too many spans wait for the collector');
      return false;
    }
    this.#waiting += 1;
    return true;
  }

  /** The collector has taken spans. */
  exported(spans: number): void {
    this.#waiting -= spans;
    this.#exported += spans;
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#log.info(
      { event: 'traces_exported_again', dropped: this.#dropped },
      'the collector takes traces again',
    );
  }

  /** The collector has not taken spans, and they are not sent again. @param error its message has no secret */
  failed(spans: number, error: Error | undefined): void {
    this.#waiting -= spans;
    this.#drop(spans, error?.message.slice(0, exportReasonCharsMax) ?? 'unknown');
  }

  /** For /metrics. */
  gauges(): readonly Gauge[] {
    return [
      sample(exportedTotal, this.#exported),
      sample(droppedTotal, this.#dropped),
      sample(waiting, this.#waiting),
    ];
  }

  #drop(spans: number, reason: string): void {
    this.#dropped += spans;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#log.warn(
      { event: 'traces_not_exported', reason },
      'the collector takes no traces: spans are dropped until it does',
    );
  }
}
