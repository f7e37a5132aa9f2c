/** Reads OTLP requests with traces (protobuf), by the field numbers of opentelemetry-proto 1.x. Knows nothing of the exporter. */

export type AttributeValue = string | bigint | boolean | number;

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** '' where it begins a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server. */
  readonly kind: number;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly flags: number;
  readonly resource: Readonly<Record<string, AttributeValue>>;
  readonly scope: string;
}

type Value = bigint | Buffer;

/** The fields of one message; each may be there more than once. */
class Message {
  readonly #fields = new Map<number, Value[]>();

  constructor(bytes: Buffer) {
    for (let at = 0; at < bytes.length; ) {
      const [tag, start] = varint(bytes, at);
      const [value, end] = valueAt(bytes, start, Number(tag & 7n));
      const number = Number(tag >> 3n);
      this.#fields.set(number, [...(this.#fields.get(number) ?? []), value]);
      at = end;
    }
  }

  has(field: number): boolean {
    return this.#fields.has(field);
  }

  bytes(field: number): Buffer {
    const value = this.#fields.get(field)?.at(-1) ?? Buffer.alloc(0);
    if (typeof value === 'bigint') throw new Error(`field ${field} is a number`);
    return value;
  }

  text(field: number): string {
    return this.bytes(field).toString();
  }

  number(field: number): bigint {
    const value = this.#fields.get(field)?.at(-1) ?? 0n;
    if (typeof value !== 'bigint') throw new Error(`field ${field} is no number`);
    return value;
  }

  messages(field: number): Message[] {
    return (this.#fields.get(field) ?? []).map((value) => {
      if (typeof value === 'bigint') throw new Error(`field ${field} is no message`);
      return new Message(value);
    });
  }
}

function varint(bytes: Buffer, start: number): [value: bigint, end: number] {
  let value = 0n;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes.readUInt8(at);
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return [value, at + 1];
  }
  throw new Error('a varint does not end');
}

function valueAt(bytes: Buffer, at: number, wireType: number): [value: Value, end: number] {
  if (wireType === 0) return varint(bytes, at);
  if (wireType === 1) return [bytes.readBigUInt64LE(at), at + 8];
  if (wireType === 5) return [BigInt(bytes.readUInt32LE(at)), at + 4];
  if (wireType !== 2) throw new Error(`wire type ${wireType}`);
  const [length, start] = varint(bytes, at);
  const end = start + Number(length);
  if (end > bytes.length) throw new Error('a field does not end');
  return [bytes.subarray(start, end), end];
}

/** The spans of an `ExportTraceServiceRequest`. */
export function readSpans(body: Buffer): OtlpSpan[] {
  return new Message(body).messages(1).flatMap((ofResource) => {
    const resource = attributes(ofResource.messages(1)[0]?.messages(1) ?? []);
    return ofResource.messages(2).flatMap((ofScope) => {
      const scope = ofScope.messages(1)[0]?.text(1) ?? '';
      return ofScope.messages(2).map((span) => ({ ...spanOf(span), resource, scope }));
    });
  });
}

function spanOf(span: Message): Omit<OtlpSpan, 'resource' | 'scope'> {
  return {
    traceId: span.bytes(1).toString('hex'),
    spanId: span.bytes(2).toString('hex'),
    parentSpanId: span.bytes(4).toString('hex'),
    name: span.text(5),
    kind: Number(span.number(6)),
    startNanos: span.number(7),
    endNanos: span.number(8),
    attributes: attributes(span.messages(9)),
    status: Number(span.messages(15)[0]?.number(3) ?? 0n),
    flags: Number(span.number(16)),
  };
}

function attributes(pairs: readonly Message[]): Record<string, AttributeValue> {
  return Object.fromEntries(pairs.map((pair) => [pair.text(1), anyValue(pair.messages(2)[0])]));
}

/** Of an `AnyValue`: string, bool, int and double. */
function anyValue(value: Message | undefined): AttributeValue {
  if (value?.has(1)) return value.text(1);
  if (value?.has(2)) return value.number(2) === 1n;
  if (value?.has(3)) return value.number(3);
  if (value?.has(4)) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value.number(4));
    return bytes.readDoubleLE();
  }
  throw new Error('a value of another kind');
}
