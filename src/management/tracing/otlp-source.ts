/**
 * Spans of the OpenTelemetry SDK, sent as OTLP over HTTP (protobuf). The only module that loads OpenTelemetry: `startTracing`
 * imports it where a collector is named (D115).
 */
import http from 'node:http';
import https from 'node:https';
import {
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import {
  attributeCharsMax,
  cutOffMs,
  exportEveryMs,
  exportMsMax,
  lastExportMsMax,
  spansPerExportMax,
  spansWaitingMax,
} from '../limits/tracing.js';
import type { Gauge } from '../metrics/definition.js';
import { ExportReport } from './export-report.js';
import { readHeaders } from './headers-file.js';
import type { Span, SpanAttributes, SpanRequest, SpanSource } from './span.js';
import { SpanClock } from './span-clock.js';
import type { TraceContext } from './trace-context.js';

export interface OtlpOptions {
  /** Of the collector's traces, http or https. */
  readonly url: string;
  /** A file with headers for the collector, which is read for each request; null: there are none. */
  readonly headersFile: string | null;
  /** Share of the traces that begin here which are recorded, 0 to 1. A trace of a caller is recorded as its `traceparent` says. */
  readonly sampledShare: number;
  /** Name of this server. */
  readonly instance: string;
  /** Of Loadout. */
  readonly version: string;
  readonly log: Logger;
}

const scope = 'loadout';

export class OtlpSource implements SpanSource {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #report: ExportReport;
  readonly #clock = new SpanClock();

  constructor({ url, headersFile, sampledShare, instance, version, log }: OtlpOptions) {
    this.#report = new ExportReport(log);
    // Of our own, so that a response that does not end can be cut off.
    const { Agent } = url.startsWith('https:') ? https : http;
    const agent = new Agent({ keepAlive: true });
    const exporter = new OTLPTraceExporter({
      ...{ url, timeoutMillis: exportMsMax, httpAgentOptions: () => agent },
      headers: async () => (headersFile === null ? {} : readHeaders(headersFile)),
    });
    // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME come last: they are the operator's.
    const resource = defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': 'loadout',
          'service.version': version,
          'service.instance.id': instance,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] }));
    this.#provider = new TracerProvider({
      resource,
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
      spanLimits: { attributeValueLengthLimit: attributeCharsMax },
      spanProcessors: [countedProcessor(exporter, this.#report, () => agent.destroy())],
    });
    this.#tracer = this.#provider.getTracer(scope, version);
  }

  begin({ name, kind, parent, attributes, startedAtMs }: SpanRequest): Span {
    const context =
      parent === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent, kind === 'server'));
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL,
        attributes,
        startTime: startedAtMs ?? this.#clock.now(),
      },
      context,
    );
    return new OtlpSpan(span, this.#clock);
  }

  gauges(): readonly Gauge[] {
    return this.#report.gauges();
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lastExportMsMax);
    });
    // What the collector did not take is counted and logged by then.
    const done = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([done, late]);
    clearTimeout(timer);
  }
}

class OtlpSpan implements Span {
  readonly context: TraceContext;
  readonly #span: SdkSpan;
  readonly #clock: SpanClock;
  #isEnded = false;

  constructor(span: SdkSpan, clock: SpanClock) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.context = { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
    this.#span = span;
    this.#clock = clock;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(reason: string): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.setAttribute('error.type', reason);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#span.end(this.#clock.now());
  }
}

/** @param isRemote whether the span is of another program */
function contextOf({ traceId, spanId, isSampled }: TraceContext, isRemote: boolean): SpanContext {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote };
}

/** Sends spans in batches, one after the other, and reports what became of each. */
function countedProcessor(
  exporter: SpanExporter,
  report: ExportReport,
  cutOff: () => void,
): SpanProcessor {
  const batches = new BatchSpanProcessor({
    exporter: reportedExporter(exporter, report, cutOff),
    maxQueueSize: spansWaitingMax,
    maxExportBatchSize: spansPerExportMax,
    scheduledDelayMillis: exportEveryMs,
  });
  return {
    onStart: () => undefined,
    onEnd: (span) => {
      const isSampled = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
      if (isSampled && report.take()) batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

/**
 * The time of the SDK's exporter is one without a byte: it goes on while bytes of a response come.
 * @param cutOff ends what is under way
 */
function reportedExporter(
  exporter: SpanExporter,
  report: ExportReport,
  cutOff: () => void,
): SpanExporter {
  return {
    export: (spans: ReadableSpan[], done) => {
      const timer = setTimeout(cutOff, cutOffMs).unref();
      exporter.export(spans, (result) => {
        clearTimeout(timer);
        // The SDK's ExportResultCode, whose package is not a dependency of this one.
        if (result.code === 0) report.exported(spans.length);
        else report.failed(spans.length, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
