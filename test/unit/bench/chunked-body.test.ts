/** That the streams of the benchmarks take the data out of chunks, wherever the network cuts them. */
import { expect, it } from 'vitest';
import { ChunkedBody } from '../../../bench/streams/held/chunked-body.js';

function dataOf(pieces: readonly Uint8Array[]): { data: string; ended: boolean } {
  const body = new ChunkedBody();
  let data = '';
  for (const piece of pieces) {
    body.write(piece, (part) => {
      data += Buffer.from(part).toString('latin1');
    });
  }
  return { data, ended: body.ended };
}

const wire = Buffer.from(
  '5\r\n: a\n\n\r\n1A;name=value\r\nabcdefghijklmnopqrstuvwxyz\r\n1\r\n\r\r\n0\r\n',
);

it('wherever it is cut in two, and byte by byte', () => {
  const expected = { data: ': a\n\nabcdefghijklmnopqrstuvwxyz\r', ended: true };
  for (let cut = 0; cut <= wire.length; cut += 1) {
    expect(dataOf([wire.subarray(0, cut), wire.subarray(cut)]), `cut at ${cut}`).toEqual(expected);
  }
  expect(dataOf([...wire].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
});

it('says what is no chunk, and whether the last one has come', () => {
  expect(dataOf([wire.subarray(0, -3)]).ended).toBe(false);
  expect(() => dataOf([Buffer.from('data: 1\r\n')])).toThrow('no chunk begins with data: 1');
  expect(() => dataOf([Buffer.from('1\r\nabc\r\n')])).toThrow('no chunk begins with bc');
});
