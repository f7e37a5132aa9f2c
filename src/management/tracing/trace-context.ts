/** The place of a request in a trace: the header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context/). */

/** Names a span, in this server or in the program that called it. */
export interface TraceContext {
  /** 32 lowercase hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 lowercase hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** Whether its spans are recorded. */
  readonly isSampled: boolean;
}

const pattern =
  /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;
const allZero = /^0+$/;
/** A later version may append fields; a header beyond this is not read. */
const charsMax = 256;
const sampledFlag = 1;

/**
 * Reads `traceparent`. A later version of the format is read like version 00, as the specification asks.
 * @param header as Node has it
 * @returns null: there is none, or it is malformed, and the request begins a trace
 */
export function parseTraceparent(
  header: string | readonly string[] | undefined,
): TraceContext | null {
  if (typeof header !== 'string' || header.length > charsMax) return null;
  const { version, traceId, spanId, flags, more } = pattern.exec(header)?.groups ?? {};
  if (version === undefined || traceId === undefined || spanId === undefined) return null;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (allZero.test(traceId) || allZero.test(spanId)) return null;
  const isSampled = (Number.parseInt(flags ?? '', 16) & sampledFlag) !== 0;
  return { traceId, spanId, isSampled };
}

/** The fields of log lines that lead to a trace, with the names that OpenTelemetry's log correlation for pino gives them. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
  readonly trace_flags: '00' | '01';
}

/** What the log says of a span. */
export function traceFields({ traceId, spanId, isSampled }: TraceContext): TraceFields {
  return { trace_id: traceId, span_id: spanId, trace_flags: isSampled ? '01' : '00' };
}
