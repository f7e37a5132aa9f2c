/** Lists of players as people paste them. */
import { describe, expect, it } from 'vitest';
import { readCsv, writeCsv } from '../../../../src/contract/players/csv.js';
import { endOfRequest, readPlayerList } from '../../../../src/contract/players/player-list.js';

const sources = (text: string) => readPlayerList(text).players.map(({ source }) => source);

describe('a list of players', () => {
  it('is ids, one a line', () => {
    expect(sources('\uFEFFa\r\n\n "b c" \n123')).toEqual([
      '{"u":"a"}',
      '{"u":"b c"}',
      '{"u":"123"}',
    ]);
  });

  it('is JSON Lines, with values as they were written', () => {
    const line = '{"u":"a","p":{"n":1.10,"big":1e400},"v":"1.2.3"}';
    expect(readPlayerList(`${line}\n`).players).toEqual([{ u: 'a', source: line }]);
  });

  it('is CSV with a header: attributes are numbers, truth values or texts', () => {
    const text = 'level;Player_ID;p.country;v;note\n1.10;a;DE;1.0.0;"x;""y"""\n"7";b;;;\n';
    expect(sources(text)).toEqual([
      '{"u":"a","p":{"level":1.10,"country":"DE","note":"x;\\"y\\""},"v":"1.0.0"}',
      '{"u":"b","p":{"level":"7"}}',
    ]);
  });

  it('says which lines it cannot read', () => {
    expect(readPlayerList('a\n{"u":1}\n{"u":"b","v":"1"}\n{"p":[]}\n{').issues).toEqual([
      { line: 2, message: '"u" is not a string' },
      { line: 3, message: '"v" does not have the form X.Y.Z' },
      { line: 4, message: '"p" is not an object' },
      { line: 5, message: 'is not JSON' },
    ]);
    expect(readPlayerList('u,v\na,1\n"b\nc",1.0.0\nd,1.0.0,x\n').issues).toEqual([
      { line: 2, message: '1 does not have the form X.Y.Z' },
      { line: 5, message: 'has 3 fields, but the header has 2' },
    ]);
  });

  it('goes into as many requests as it needs', () => {
    const { players } = readPlayerList(
      Array.from({ length: 10_001 }, (_, at) => `p${at}`).join('\n'),
    );
    expect([endOfRequest(players, 0), endOfRequest(players, 10_000)]).toEqual([10_000, 10_001]);
    const large = Array.from({ length: 3 }, () => ({ u: '', source: 'x'.repeat(400_000) }));
    expect([endOfRequest(large, 0), endOfRequest(large, 2)]).toEqual([1, 3]);
  });
});

describe('CSV', () => {
  it('is read as it was written, and has no formulas', () => {
    const rows = [
      ['a,b', 'c "d"', 'e\nf', ' g'],
      ['=1+1', -5, null, 'h'],
    ];
    const text = writeCsv(rows);
    expect(readCsv(text).map((row) => row.map((field) => field.text))).toEqual([
      ['a,b', 'c "d"', 'e\nf', ' g'],
      ["'=1+1", '-5', '', 'h'],
    ]);
  });
});
