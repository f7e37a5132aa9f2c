/**
 * Reads server-sent events from bytes as they arrive, by the rules of WHATWG HTML ("Interpreting an event stream"). What is
 * kept between two pieces is the line and the event that are not complete, so an idle stream costs next to nothing.
 */

/** An event that was dispatched. */
export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly type: string;
  readonly data: string;
  /** The last `id` of the stream up to and including this event; empty: there was none. */
  readonly lastEventId: string;
}

export interface EventStreamSink {
  event(event: ServerSentEvent): void;
  /** A line that begins with a colon, without it. */
  comment?(text: string): void;
  /** How long to wait before the next connection, milliseconds. */
  retry?(ms: number): void;
  /** A line that the standard says to ignore: an unknown field, or a value that its field does not take. */
  ignored?(line: string): void;
}

const LF = 0x0a;
const CR = 0x0d;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
const digits = /^[0-9]+$/;

export class EventStreamReader {
  readonly #sink: EventStreamSink;
  /** The line that has begun, in as many pieces as it came in; null: none has. */
  #line: Buffer[] | null = null;
  /** The last byte was a CR: an LF that follows belongs to it. */
  #afterCr = false;
  #isFirstLine = true;
  #type = '';
  /** With a line feed behind each line; null: the event has no data yet. */
  #data: string | null = null;
  #id = '';
  #lastEventId = '';

  constructor(sink: EventStreamSink) {
    this.#sink = sink;
  }

  /** What a client that connects again says it has seen. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** The next bytes of the body; they may be overwritten afterwards. */
  write(piece: Uint8Array): void {
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (this.#afterCr && byte === LF) {
        this.#afterCr = false;
        start = at + 1;
        continue;
      }
      this.#afterCr = byte === CR;
      if (byte !== LF && byte !== CR) continue;
      this.#endLine(piece.subarray(start, at));
      start = at + 1;
    }
    if (start === piece.length) return;
    this.#line ??= [];
    this.#line.push(Buffer.from(piece.subarray(start)));
  }

  #endLine(last: Uint8Array): void {
    const begun = this.#line;
    this.#line = null;
    let bytes = begun === null ? Buffer.from(last) : Buffer.concat([...begun, last]);
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (byteOrderMark.every((byte, at) => bytes[at] === byte)) bytes = bytes.subarray(3);
    }
    if (bytes.length === 0) this.#dispatch();
    // Line ends are never part of another character, so a line decodes as it would within the whole text.
    else this.#field(bytes.toString('utf8'));
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) {
      this.#sink.comment?.(line.slice(1));
      return;
    }
    const name = colon < 0 ? line : line.slice(0, colon);
    const valueAt = line[colon + 1] === ' ' ? colon + 2 : colon + 1;
    const value = colon < 0 ? '' : line.slice(valueAt);
    if (name === 'event') this.#type = value;
    else if (name === 'data') this.#data = `${this.#data ?? ''}${value}\n`;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && digits.test(value)) this.#sink.retry?.(Number(value));
    else this.#sink.ignored?.(line);
  }

  #dispatch(): void {
    const [type, data] = [this.#type, this.#data];
    this.#lastEventId = this.#id;
    this.#type = '';
    this.#data = null;
    if (data === null) return;
    const event = {
      type: type === '' ? 'message' : type,
      data: data.slice(0, -1),
      lastEventId: this.#lastEventId,
    };
    this.#sink.event(event);
  }
}
