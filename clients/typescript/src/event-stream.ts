/** Reads server-sent events as the HTML standard says; pieces may be cut anywhere, a transport has removed the byte order mark. */

export class EventStreamReader {
  private readonly onEvent: (name: string, data: string) => void;
  /** Milliseconds of the last `retry`; null: there was none. */
  retryMs: number | null = null;
  /** Characters since the last event ended. */
  pending = 0;
  private rest = '';
  private isBehindCr = false;
  private name = '';
  private data: string[] = [];

  constructor(onEvent: (name: string, data: string) => void) {
    this.onEvent = onEvent;
  }

  feed(piece: string): void {
    if (piece === '') return;
    const text = this.isBehindCr && piece[0] === '\n' ? piece.slice(1) : piece;
    this.isBehindCr = piece.endsWith('\r');
    this.pending += text.length;
    const lines = text.split(/\r\n?|\n/);
    lines[0] = this.rest + lines[0];
    this.rest = lines.pop() as string;
    for (const line of lines) this.take(line);
  }

  private take(line: string): void {
    if (line === '') {
      const { name, data } = this;
      this.name = '';
      this.data = [];
      this.pending = this.rest.length;
      if (data.length > 0) this.onEvent(name || 'message', data.join('\n'));
      return;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) as RegExpExecArray;
    if (field === 'event') this.name = value;
    if (field === 'data') this.data.push(value);
    if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }
}
