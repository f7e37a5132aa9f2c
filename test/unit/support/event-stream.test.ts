/** That the reader of event streams follows the standard, wherever the network cuts what it reads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EventStreamReader,
  type EventStreamSink,
  type ServerSentEvent,
} from '../../support/stream/event-stream.js';

/** Everything that a sink is told, in order. */
type Told = readonly ['event' | 'comment' | 'retry' | 'ignored', unknown];

function readIn(pieces: readonly Uint8Array[]): { told: Told[]; lastEventId: string } {
  const told: Told[] = [];
  const sink: Required<EventStreamSink> = {
    event: (event) => told.push(['event', event]),
    comment: (text) => told.push(['comment', text]),
    retry: (ms) => told.push(['retry', ms]),
    ignored: (line) => told.push(['ignored', line]),
  };
  const reader = new EventStreamReader(sink);
  for (const piece of pieces) {
    // Of a socket that reads into one buffer, which the next read overwrites.
    const shared = Buffer.from(piece);
    reader.write(shared);
    shared.fill(0x0a);
  }
  return { told, lastEventId: reader.lastEventId };
}

const read = (text: string | Uint8Array): Told[] => readIn([Buffer.from(text)]).told;
const events = (text: string | Uint8Array): unknown[] =>
  read(text).flatMap(([kind, what]) => (kind === 'event' ? [what] : []));

function message(data: string, more: Partial<ServerSentEvent> = {}): ServerSentEvent {
  return { type: 'message', data, lastEventId: '', ...more };
}

/** The same rules on the whole text at once, as the standard's prose has them. */
function readWhole(text: string): Told[] {
  const told: Told[] = [];
  let [type, data, id] = ['', '', ''];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  // What stands behind the last line end is an incomplete line.
  for (const line of lines.slice(0, -1)) {
    const [, name = line, value = ''] = /^([^:]*): ?(.*)$/su.exec(line) ?? [];
    if (line === '') {
      const event = { type: type || 'message', data: data.replace(/\n$/, ''), lastEventId: id };
      if (data !== '') told.push(['event', event]);
      [type, data] = ['', ''];
    } else if (line.startsWith(':')) told.push(['comment', line.slice(1)]);
    else if (name === 'event') type = value;
    else if (name === 'data') data += `${value}\n`;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^[0-9]+$/.test(value)) told.push(['retry', Number(value)]);
    else told.push(['ignored', line]);
  }
  return told;
}

describe('an event', () => {
  it('is what stands between empty lines', () => {
    expect(events('data: YHOO\ndata: +2\ndata: 10\n\n')).toEqual([message('YHOO\n+2\n10')]);
    expect(events('data\n\ndata\ndata\n\ndata:')).toEqual([message(''), message('\n')]);
    expect(events('data:test\n\ndata: test\n\n')).toEqual([message('test'), message('test')]);
    expect(events('data:  two spaces, one of them data\n\n')).toEqual([
      message(' two spaces, one of them data'),
    ]);
  });

  it('has the type that was named for it alone', () => {
    expect(events('event: add\ndata: 1\n\ndata: 2\n\n')).toEqual([
      message('1', { type: 'add' }),
      message('2'),
    ]);
    expect(events('event: add\n\ndata: 2\n\n')).toEqual([message('2')]);
  });

  it('has the last id of the stream, which an empty one takes back', () => {
    expect(events('data: 1\nid: 7\n\ndata: 2\n\ndata: 3\nid\n\n')).toEqual([
      message('1', { lastEventId: '7' }),
      message('2', { lastEventId: '7' }),
      message('3'),
    ]);
    expect(events('id: 7\0\ndata: 1\n\n')).toEqual([message('1')]);
  });

  it('that was not ended is not dispatched, and its id not remembered', () => {
    const { told, lastEventId } = readIn([Buffer.from('id: 1\n\nid: 2\ndata: half\n')]);
    expect(told).toEqual([]);
    expect(lastEventId).toBe('1');
  });
});

it('lines end with CR, LF or both, and one byte order mark is dropped', () => {
  expect(events('\uFEFFdata: 1\r\rdata: 2\r\n\r\ndata: 3\n\r')).toEqual([
    message('1'),
    message('2'),
    message('3'),
  ]);
  expect(read('\uFEFF\uFEFFdata: 1\n\n')).toEqual([['ignored', '\uFEFFdata: 1']]);
});

it('what is not UTF-8 becomes replacement characters', () => {
  const bytes = Buffer.concat([Buffer.from('data: a'), Buffer.from([0xc3]), Buffer.from('\n\n')]);
  expect(events(bytes)).toEqual([message('a\uFFFD')]);
});

it('comments, times to wait and what is to be ignored are told apart', () => {
  expect(read(': beat\n:\nretry: 2500\nretry: 2.5\nretry:\nfoo: bar\nData: 1\n\n')).toEqual([
    ['comment', ' beat'],
    ['comment', ''],
    ['retry', 2500],
    ['ignored', 'retry: 2.5'],
    ['ignored', 'retry:'],
    ['ignored', 'foo: bar'],
    ['ignored', 'Data: 1'],
  ]);
});

const example =
  '\uFEFFretry: 10\r\nevent: refresh\r\nid: 12\r\ndata: {"text":"Grüße 🎮"}\r\n\r\n: beat\r\rdata: a\ndata\n\n';

it('reads the same wherever it is cut in two, in three, and byte by byte', () => {
  const bytes = Buffer.from(example);
  const expected = readIn([bytes]);
  expect(expected.told).toEqual(readWhole(example));
  expect(expected.told.length).toBe(4);
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      const cut = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      expect(readIn(cut), `cut at ${first} and ${second}`).toEqual(expected);
    }
  }
  expect(readIn([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
});

it('reads any stream as the standard says, in any pieces', () => {
  const token = fc.constantFrom(
    ...['data', 'event', 'id', 'retry', 'foo', ':', ' ', '12', 'é', '🎮', '\0', '\uFEFF'],
    ...['\n', '\n', '\r', '\r\n', '\n\n'],
  );
  const stream = fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join(''));
  const cuts = fc.array(fc.nat(120), { maxLength: 8 });
  fc.assert(
    fc.property(stream, cuts, (text, places) => {
      const bytes = Buffer.from(text);
      const ends = [...places.sort((a, b) => a - b), bytes.length];
      const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
      expect(readIn(pieces).told).toEqual(readWhole(text));
    }),
    { numRuns: 2_000 },
  );
});
