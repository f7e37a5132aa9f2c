/** What the server says of spans, whoever sends them to a collector. Types only. */
import type { Gauge } from '../metrics/definition.js';
import type { TraceContext } from './trace-context.js';

/** Names and values of a bounded set, or short texts: no token, no body, no name of a user. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** Work that has begun. */
export interface Span {
  readonly context: TraceContext;
  readonly isEnded: boolean;
  set(attributes: SpanAttributes): void;
  /** Says that the work failed. @param reason `error.type`: a status, a code or the name of an error */
  fail(reason: string): void;
  /** Another call does nothing. */
  end(): void;
}

/** A span that begins. */
export interface SpanRequest {
  readonly name: string;
  /** `server`: it handles a request. */
  readonly kind: 'server' | 'internal';
  /** Null: it begins a trace. */
  readonly parent: TraceContext | null;
  readonly attributes: SpanAttributes;
  /** Milliseconds since the epoch; left out: now. */
  readonly startedAtMs?: number;
}

/** Makes spans, and sends those that have ended to a collector. */
export interface SpanSource {
  begin(request: SpanRequest): Span;
  gauges(): readonly Gauge[];
  /** Sends what waits, for `lastExportMsMax` at most. */
  close(): Promise<void>;
}
