/**
 * Spans of a server that sends traces (`--otlp-url`). The span that work belongs to follows it through asynchronous calls, in
 * the control process only: delivery processes have no traces.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Gauge } from '../metrics/definition.js';
import type { Span, SpanAttributes, SpanRequest, SpanSource } from './span.js';

/** What work belongs to. */
interface Scope {
  readonly span: Span;
  /** Attributes that its children have as well. */
  readonly shared: SpanAttributes;
}

/** A publication of what another server wrote. */
export interface Pulled {
  /** What every delivery process served before, and serves now. */
  readonly from: number;
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
}

export class Tracing {
  readonly #source: SpanSource;
  readonly #scope = new AsyncLocalStorage<Scope>();

  constructor(source: SpanSource) {
    this.#source = source;
  }

  begin(request: SpanRequest): Span {
    return this.#source.begin(request);
  }

  /** Runs `work`, whose spans are children of `span`. @param shared attributes that they all have */
  within<T>(span: Span, shared: SpanAttributes, work: () => T): T {
    return this.#scope.run({ span, shared }, work);
  }

  /** Runs `work` as a span of what it belongs to. Work of no request, or of one that has ended, is no span. */
  async inSpan<T>(
    name: string,
    attributes: SpanAttributes,
    work: (span: Span | null) => Promise<T>,
  ): Promise<T> {
    const scope = this.#openScope;
    if (scope === null) return work(null);
    const { span: parent, shared } = scope;
    const span = this.begin({
      ...{ name, kind: 'internal', parent: parent.context },
      attributes: { ...shared, ...attributes },
    });
    try {
      return await this.within(span, shared, () => work(span));
    } catch (error) {
      span.fail(errorType(error));
      throw error;
    } finally {
      span.end();
    }
  }

  /** A publication that somebody waits for: a request, or a job of the server, whose span begins a trace. */
  publishing(sequence: number, published: Promise<void>): void {
    const scope = this.#openScope;
    const span = this.begin({
      ...{ name: 'publish', kind: 'internal', parent: scope?.span.context ?? null },
      attributes: { ...scope?.shared, 'loadout.sequence': sequence },
    });
    published.then(
      () => span.end(),
      (error: unknown) => {
        span.fail(errorType(error));
        span.end();
      },
    );
  }

  /** A publication that this server learned of from the store. It begins a trace. */
  pulled({ from, sequence, startedAtMs }: Pulled): void {
    const attributes = { 'loadout.sequence': sequence, 'loadout.sequence.from': from };
    this.begin({
      ...{ name: 'publish changes of other servers', kind: 'internal', parent: null },
      ...{ attributes, startedAtMs },
    }).end();
  }

  gauges(): readonly Gauge[] {
    return this.#source.gauges();
  }

  close(): Promise<void> {
    return this.#source.close();
  }

  /**
   * Null: there is none, or its span has ended. Timers of jobs that a request has woken keep the request's scope: what they do
   * later is not part of it.
   */
  get #openScope(): Scope | null {
    const scope = this.#scope.getStore();
    return scope === undefined || scope.span.isEnded ? null : scope;
  }
}

/** `error.type` of an error, which has few values: its code, or its name. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
