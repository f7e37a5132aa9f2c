/*
 * Goal: what is edited in a table changes the bytes of that value in the text, and no others.
 * Method: random arrays of objects, written with random white space, comments and spellings of numbers; each edit is compared
 * with the same edit of the parsed value, and the rest of the text byte for byte.
 */
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  blockEdits,
  blockText,
  cellsOfBlock,
} from '../../../../src/console/content/table/block.js';
import {
  formOf,
  shownText,
  sourceOf,
  typedSource,
} from '../../../../src/console/content/table/cell-text.js';
import {
  type CellEdit,
  type TableText,
  tableIn,
  withCell,
  withCells,
  withMovedRow,
  withNewRow,
  withoutRow,
  withRowTwice,
} from '../../../../src/console/content/table/table-edits.js';
import { cellOf, columnsOf, findTables } from '../../../../src/console/content/table/tables-of.js';
import { viewRows } from '../../../../src/console/content/table/view-rows.js';
import { parseTextTree, type TextTree } from '../../../../src/content/json/text-tree.js';

const blank = fc.constantFrom('', ' ', '\n', '\n    ', '\t', ' /* note */ ', ' // note\n  ');
const scalar = fc.constantFrom(
  ...['1', '1.10', '-0.5e3', '9007199254740993', 'true', 'null', '"lamp"', '"a\\u00e9\\n"', '""'],
);
const value = fc.oneof({ weight: 4, arbitrary: scalar }, fc.constantFrom('[1, 2]', '{"a": {}}'));
const names = ['id', 'price', 'tags', 'a/b', 'käse'] as const;

/** A list of objects as a person could have written it. */
const listText: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...names), value, blank, blank), {
          selector: ([name]) => name,
        }),
        blank,
        fc.boolean(),
      ),
      { minLength: 1, maxLength: 6 },
    ),
    blank,
    fc.boolean(),
  )
  .map(([rows, space, isTrailing]) => {
    const objects = rows.map(([members, gap, trails]) => {
      const inner = members.map(
        ([name, source, before, after]) => `${before}${JSON.stringify(name)}:${after}${source}`,
      );
      return `${gap}{${inner.join(',')}${trails && inner.length > 0 ? ',' : ''}${gap}}`;
    });
    return `{"v": 1.50,${space}"list":${space}[${objects.join(',')}${isTrailing ? ',' : ''}${space}], "end": 0.10}`;
  });

const pointer = '/list';
const tableOf = (text: string): TableText => {
  const table = tableIn(text, pointer);
  if (table === null) throw new Error('The text has no such array.');
  return table;
};
type Row = Record<string, unknown>;
const rowsOf = (text: string): Row[] => parse(text, [], { allowTrailingComma: true }).list;

/** Sources of all values but the list, and of all cells but those of an edit. */
function otherSources(text: string, except: (row: number, name: string) => boolean): string[] {
  const { tree, array } = tableOf(text);
  const around = tree.root.children.filter((child) => child !== array);
  const cells = array.children.flatMap((row, at) =>
    row.children.filter(({ name }) => !except(at, name ?? '')),
  );
  return [...around, ...cells].map((node) => sourceOf(text, node));
}

describe('a cell', () => {
  it('changes its own bytes only', () => {
    fc.assert(
      fc.property(
        listText,
        fc.nat(),
        fc.constantFrom(...names),
        scalar,
        (text, at, column, source) => {
          const table = tableOf(text);
          const row = at % table.array.children.length;
          const before = cellOf(table.array.children[row] as never, column);
          const edited = withCell(table, { row, column, source });
          if (before !== null) {
            expect(edited).toBe(text.slice(0, before.start) + source + text.slice(before.end));
            return;
          }
          const expected = rowsOf(text);
          (expected[row] as Row)[column] = JSON.parse(source);
          expect(rowsOf(edited)).toEqual(expected);
          const isEdited = (place: number, name: string) => place === row && name === column;
          expect(otherSources(edited, isEdited)).toEqual(otherSources(text, isEdited));
          expect(commentsOf(edited)).toEqual(commentsOf(text));
        },
      ),
    );
  });

  it('is removed with its comma; comments beside it stay', () => {
    fc.assert(
      fc.property(listText, fc.nat(), fc.constantFrom(...names), (text, at, column) => {
        const table = tableOf(text);
        const row = at % table.array.children.length;
        const expected = rowsOf(text);
        delete (expected[row] as Row)[column];
        const edited = withCell(table, { row, column, source: null });
        expect(rowsOf(edited)).toEqual(expected);
        const isEdited = (place: number, name: string) => place === row && name === column;
        expect(otherSources(edited, isEdited)).toEqual(otherSources(text, isEdited));
        const cell = cellOf(table.array.children[row] as never, column);
        // What stands between its key and its value goes along.
        const rest =
          cell === null ? text : `${text.slice(0, cell.keyStart)}\n${text.slice(cell.end)}`;
        expect(commentsOf(edited)).toEqual(commentsOf(rest));
      }),
    );
  });

  it('is one of many that are edited at once, also where rows lack several members', () => {
    const edits = fc.uniqueArray(
      fc.record({ row: fc.nat(5), column: fc.constantFrom(...names), source: scalar }),
      { selector: ({ row, column }) => `${row} ${column}`, maxLength: 12 },
    );
    fc.assert(
      fc.property(listText, edits, (text, all) => {
        const table = tableOf(text);
        const wanted: CellEdit[] = all.filter(({ row }) => row < table.array.children.length);
        const expected = rowsOf(text);
        for (const { row, column, source } of wanted) {
          (expected[row] as Row)[column] = JSON.parse(source as string);
        }
        expect(rowsOf(withCells(table, pointer, wanted))).toEqual(expected);
      }),
    );
  });
});

describe('a row', () => {
  it('is added, copied, moved and removed as in the parsed list', () => {
    fc.assert(
      fc.property(listText, fc.nat(), fc.nat(), (text, one, other) => {
        const table = tableOf(text);
        const count = table.array.children.length;
        const [row, to] = [one % count, other % count];
        const before = rowsOf(text);
        const copy = before[row] as Row;
        expect(rowsOf(withRowTwice(table, row))).toEqual(before.toSpliced(row + 1, 0, copy));
        expect(rowsOf(withoutRow(table, row))).toEqual(before.toSpliced(row, 1));
        const moved = before.toSpliced(row, 1).toSpliced(to, 0, copy);
        expect(rowsOf(withMovedRow(table, row, to))).toEqual(moved);
        const added = rowsOf(withNewRow(table, count, columnsOf(table.array)));
        expect(added.slice(0, count)).toEqual(before);
        expect(added).toHaveLength(count + 1);
      }),
    );
  });

  it('is written as its neighbours are', () => {
    const text = '{\n  "list": [\n    {\n      "id": "a",\n      "price": 1.10\n    }\n  ]\n}\n';
    const table = tableOf(text);
    const row = '    {\n      "id": "a",\n      "price": 1.10\n    }';
    expect(withRowTwice(table, 0)).toBe(`{\n  "list": [\n${row},\n${row}\n  ]\n}\n`);
    const empty = '    {\n      "id": "",\n      "price": 0\n    }';
    expect(withNewRow(table, 1, columnsOf(table.array))).toBe(
      `{\n  "list": [\n${row},\n${empty}\n  ]\n}\n`,
    );
  });
});

describe('a pasted block', () => {
  it('comes back as it was copied', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', '\t', '\n', ' ', ',') });
    const block = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
          minLength: 1,
          maxLength: 4,
        }),
      )
      // An empty last line is how spreadsheets end a block.
      .filter((rows) => rows.at(-1)?.join('') !== '');
    fc.assert(
      fc.property(block, (rows) => {
        expect(cellsOfBlock(blockText(rows))).toEqual(rows);
      }),
    );
  });

  it('keeps the kind of each cell, and says which is no value', () => {
    const text = '{"list": [{"id": "1", "price": 1.10}, {"id": "2", "price": 2}]}';
    const { array } = tableOf(text);
    const place = { rows: [0, 1], columns: columnsOf(array) };
    const pasted = blockEdits(text, array, cellsOfBlock('7\t3.30\r\n8\t2\r\n'), place);
    expect(pasted).toEqual({
      edits: [
        { row: 0, column: 'id', source: '"7"' },
        { row: 0, column: 'price', source: '3.30' },
        { row: 1, column: 'id', source: '"8"' },
      ],
      ...{ left: 0, issue: null },
    });
    expect(blockEdits(text, array, cellsOfBlock('7\t3,30'), place).issue).toBe(
      'Row 1, price: 3,30 is not a number. Text needs quotes.',
    );
    expect(blockEdits(text, array, cellsOfBlock('1\t1.10\tx'), place).left).toBe(1);
  });
});

describe('what is typed', () => {
  it('is a text as it reads, and otherwise JSON', () => {
    expect(typedSource('a "b"', 'text')).toEqual({ source: '"a \\"b\\""' });
    expect(typedSource(' 1.10 ', 'json')).toEqual({ source: '1.10' });
    expect(typedSource('12OO', 'json')).toEqual({
      issue: '12OO is not a number. Text needs quotes.',
    });
    expect(typedSource('', 'json')).toHaveProperty('issue');
    expect(formOf(null, 'string')).toBe('text');
    expect(formOf(null, 'number')).toBe('json');
  });
});

describe('the view', () => {
  const text =
    '[{"id": "b", "n": 10}, {"id": "a", "n": 9, "x": [{"y": 1}, {"y": 2}, {"y": 3}]}, {"id": "c"}]';
  const tree = parseTextTree(text) as TextTree;

  it('finds every array of objects, the longest first', () => {
    expect(findTables(tree)).toEqual([
      { pointer: '', rows: 3 },
      { pointer: '/1/x', rows: 3 },
    ]);
    expect(columnsOf(tree.root)).toEqual([
      { name: 'id', kind: 'string', count: 3 },
      { name: 'n', kind: 'number', count: 2 },
      { name: 'x', kind: 'array', count: 1 },
    ]);
  });

  it('sorts numbers as numbers, what is missing last, and filters by what is shown', () => {
    const rows = (view: object) =>
      viewRows(text, tree.root, { filter: '', sort: null, isDescending: false, ...view });
    expect(rows({ sort: 'n' })).toEqual([1, 0, 2]);
    expect(rows({ sort: 'n', isDescending: true })).toEqual([0, 1, 2]);
    expect(rows({ sort: 'id' })).toEqual([1, 0, 2]);
    expect(rows({ filter: 'A' })).toEqual([1]);
    expect(shownText(text, cellOf(tree.root.children[1] as never, 'x') as never)).toBe(
      '3 elements',
    );
  });
});

function commentsOf(text: string): string[] {
  return text.match(/\/\*.*?\*\/|\/\/.*$/gm) ?? [];
}
