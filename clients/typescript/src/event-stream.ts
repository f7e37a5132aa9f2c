/** Reads server-sent events as the HTML standard says. Pieces may be cut anywhere; a transport removes the byte order mark. */

export function createEventStreamReader(onEvent: (name: string, data: string) => void) {
  let retryMs: number | null = null;
  let pending = 0;
  let rest = '';
  let isBehindCr = false;
  let name = '';
  let data: string[] = [];

  const dispatch = () => {
    const event = data;
    const itsName = name || 'message';
    data = [];
    name = '';
    pending = 0;
    if (event.length > 0) onEvent(itsName, event.join('\n'));
  };

  const take = (line: string) => {
    if (line === '') return dispatch();
    const [, field, value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) as RegExpExecArray;
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
    if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  };

  return {
    feed(piece: string): void {
      if (piece === '') return;
      const text = isBehindCr && piece[0] === '\n' ? piece.slice(1) : piece;
      isBehindCr = piece.endsWith('\r');
      const lines = text.split(/\r\n?|\n/);
      pending += text.length;
      lines[0] = rest + lines[0];
      rest = lines.pop() as string;
      for (const line of lines) take(line);
    },
    /** Milliseconds of the last `retry`; null: there was none. */
    retryMs: () => retryMs,
    /** Characters that came since the last event, about. */
    pending: () => pending,
  };
}
