/** `--match` and `--limit` of lists. */
import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type FilterOptions, filterRows } from '../../../../src/command/client/list-filter.js';
import { withIo } from '../../../../src/command/terminal/io.js';
import { rawElements } from '../../../../src/command/terminal/json-body.js';

function filtered(names: readonly string[], options: FilterOptions): [readonly string[], string] {
  let notes = '';
  const stderr = new Writable({
    write(piece: Buffer, _encoding, done) {
      notes += piece.toString();
      done();
    },
  });
  const io = { stdin: Readable.from([]), stdout: stderr, stderr, env: {}, exitCode: 0 };
  const rows = withIo(io, () => filterRows(names, (name) => name, 'contents', options));
  return [rows, notes];
}

const names = ['shop', 'shop-2', 'Shop.eu', 'a+b', 'levels'];

describe('filterRows', () => {
  it.each([
    ['shop', ['shop']],
    ['shop*', ['shop', 'shop-2', 'Shop.eu']],
    ['*2', ['shop-2']],
    ['shop.*', ['Shop.eu']],
    ['a?b', ['a+b']],
    ['a+b', ['a+b']],
    ['[a-z]*', []],
    ['**', names],
  ])('with --match %s', (match, expected) => {
    expect(filtered(names, { match })).toEqual([expected, '']);
  });

  it('says how many the limit leaves out', () => {
    expect(filtered(names, { limit: 2 })).toEqual([
      ['shop', 'shop-2'],
      '2 of 5 contents shown: --limit 5 lists all.\n',
    ]);
    expect(filtered(names, { match: 's*', limit: 3 })).toEqual([names.slice(0, 3), '']);
  });
});

describe('rawElements', () => {
  it.each([
    ['[]', []],
    ['', []],
    ['[1.10]', ['1.10']],
    ['[{"a":[1,2]},"x,]\\"",[[]],null]', ['{"a":[1,2]}', '"x,]\\""', '[[]]', 'null']],
  ])('of %s', (list, expected) => {
    expect(rawElements(list)).toEqual(expected);
  });
});
