import { describe, expect, it } from 'vitest';
import { formatTable } from '../../../../src/command/terminal/table.js';

interface Row {
  readonly id: string;
  readonly note: string;
}

const columns = [
  { title: 'ID', text: (row: Row) => row.id },
  { title: 'NOTE', text: (row: Row) => row.note },
];

describe('formatTable', () => {
  it('aligns columns under their titles and leaves no white space at the end of a line', () => {
    const rows = [
      { id: 'economy', note: '' },
      { id: 'shop', note: 'prices' },
    ];
    expect(formatTable(columns, rows, '')).toBe('ID       NOTE\neconomy\nshop     prices\n');
  });

  it('counts characters, not UTF-16 units', () => {
    const rows = [
      { id: '🔥', note: 'x' },
      { id: 'ab', note: 'y' },
    ];
    expect(formatTable(columns, rows, '')).toBe('ID  NOTE\n🔥   x\nab  y\n');
  });

  it('says so when there is nothing', () => {
    expect(formatTable(columns, [], 'No contents.')).toBe('No contents.\n');
  });

  it("keeps other people's text from steering the terminal or breaking a row", () => {
    const text = formatTable(columns, [{ id: 'a', note: 'red\u001b[31m\nnext\u009b2J' }], '');
    expect(text).toBe('ID  NOTE\na   red [31m next 2J\n');
  });
});
