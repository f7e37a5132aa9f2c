/** Goal: a stream gives the same events however the network cuts it, with each kind of line end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createEventStreamReader,
  type EventFields,
} from '../../../../clients/typescript/src/event-stream.js';

function eventsOf(pieces: readonly string[]): EventFields[] {
  const events: EventFields[] = [];
  const read = createEventStreamReader((fields) => events.push(fields));
  for (const piece of pieces) read(piece);
  return events;
}

const lineOf = fc.oneof(
  fc.constantFrom('', '', ':', ': a comment', 'data', 'data:', 'id: 5', 'retry: 3000', 'retry: x'),
  fc.constantFrom('event: refresh', 'event:refresh', 'data: {"a":1}', 'data:  two spaces', 'odd'),
  fc.string({ maxLength: 8 }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

it('gives the same events for any cut and any line ends', () => {
  fc.assert(
    fc.property(
      fc.array(lineOf, { maxLength: 20 }),
      fc.infiniteStream(lineEnd),
      fc.array(fc.nat(200), { maxLength: 30 }),
      (lines, ends, cuts) => {
        const whole = lines.map((line) => `${line}\n`).join('');
        // An empty line that ends with LF behind one that ends with CR would be one line end, not two.
        const mixed = lines
          .map((line, at) => ({ line, end: ends.next().value ?? '\n', next: lines[at + 1] }))
          .map(({ line, end, next }) => line + (end === '\r' && next === '' ? '\r\n' : end))
          .join('');
        const places = [0, ...cuts.sort((a, b) => a - b), mixed.length];
        const pieces = places.slice(1).map((to, at) => mixed.slice(places[at], to));
        expect(eventsOf(pieces)).toEqual(eventsOf([whole]));
      },
    ),
    { numRuns: 1_000 },
  );
});

it('reads fields as the HTML standard says', () => {
  const text = 'data: a\ndata:b\ndata\nevent: refresh\nid: 7\nodd: x\n: comment\n\ndata:  c\n\n';
  const [first, second] = eventsOf([text]);
  expect(first).toMatchObject({ data: 'a\nb\n', event: 'refresh' });
  expect(second).toEqual({ data: ' c' });
});

it('does not give an event that has not ended', () => {
  expect(eventsOf(['event: refresh\ndata: {}\n'])).toEqual([]);
});

it('gives retry at once, and only digits', () => {
  expect(eventsOf(['retry: 3000\n'])).toEqual([{ retry: '3000' }]);
  expect(eventsOf(['retry: 3 s\nretry:\nretry: -1\nretry: 1e3\n'])).toEqual([]);
});

it('counts what it keeps, and begins again behind an event', () => {
  const read = createEventStreamReader(() => undefined);
  expect(read('data: 1234')).toBe(10);
  expect(read('5678')).toBe(14);
  expect(read('\n\n')).toBe(0);
});
