/** Reads server-sent events as the HTML standard says. Pieces may be cut anywhere; a transport removes the byte order mark. */

/** The last value of each field; lines of `data` are joined. */
export type EventFields = Readonly<Record<string, string | undefined>>;

/**
 * @param onEvent is called where an event ends, and at once with a `retry` alone
 * @returns what takes a piece, and returns about how many characters it keeps
 */
export function createEventStreamReader(onEvent: (fields: EventFields) => void) {
  let fields: Record<string, string | undefined> = {};
  let rest = '';
  let kept = 0;
  let isBehindCr = false;

  return (piece: string): number => {
    const lines = (isBehindCr ? piece.replace(/^\n/, '') : piece).split(/\r\n?|\n/);
    if (piece) isBehindCr = piece.endsWith('\r');
    kept += piece.length;
    lines[0] = rest + lines[0];
    rest = lines.pop() as string;
    for (const line of lines) {
      if (line) {
        const [, field = '', value = ''] = /^([^:]*):? ?(.*)/s.exec(line) as RegExpExecArray;
        if (field === 'retry' && !/^\d+$/.test(value)) continue;
        fields[field] = field in fields && field === 'data' ? `${fields[field]}\n${value}` : value;
        if (field === 'retry') onEvent({ retry: value });
      } else {
        const event = fields;
        fields = {};
        kept = 0;
        onEvent(event);
      }
    }
    return kept;
  };
}
