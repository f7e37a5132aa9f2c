import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import {
  type CodeMark,
  grammarFault,
  keepMarks,
  positionOf,
} from '../../../../src/console/parts/code/code-marks.js';
import { stripJsonc } from '../../../../src/content/json/jsonc.js';

describe('the grammar that is checked while one types', () => {
  it('takes comments and trailing commas, and a text that is blank', () => {
    expect(grammarFault('{ /* a */ "a": [1, 2,], // b\n}')).toBe(null);
    expect(grammarFault('  \n')).toBe(null);
  });

  it('says what is wrong and where', () => {
    expect(grammarFault('{"a": 1 "b": 2}')).toEqual({
      offset: 8,
      length: 3,
      message: 'A comma is missing before this.',
    });
    expect(grammarFault('{"a": yes}')?.offset).toBe(6);
    expect(grammarFault('{"a": [1}')?.offset).toBe(8);
  });

  it('finds no fault in what the server takes', () => {
    for (const text of ['1', '"x"', '[]', '[1,]', '{"a":1,}', '-0.5e+3', '// x\nnull', '1e400']) {
      expect(stripJsonc(new TextEncoder().encode(text), 100)).toBeInstanceOf(Uint8Array);
      expect(grammarFault(text)).toBe(null);
    }
  });

  it('leaves what is nested beyond all measure to the server', () => {
    expect(() => grammarFault('['.repeat(1_000_000))).not.toThrow();
  });
});

describe('marks', () => {
  const state = EditorState.create({ doc: '{\n  "a": 1,\n  "b": 2\n}' });
  const mark = (line: number): CodeMark => ({
    line,
    column: 3,
    message: 'wrong',
    severity: 'error',
  });

  it('stand at a line and column, as near as can be', () => {
    expect(positionOf(state, { line: 2, column: 3 })).toBe(4);
    expect(positionOf(state, { line: 99, column: 99 })).toBe(state.doc.length);
  });

  it('move with an edit above them', () => {
    const edit = state.update({ changes: { from: 1, insert: '\n// new' } });
    expect(keepMarks(edit, [mark(3)])).toEqual([mark(4)]);
  });

  it('go when their line is edited', () => {
    const edit = state.update({ changes: { from: 10, to: 11, insert: '5' } });
    expect(keepMarks(edit, [mark(2), mark(3)])).toEqual([mark(3)]);
  });
});
