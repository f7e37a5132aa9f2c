/** Promises of user contexts as people type and paste them, and of what the API is told of a typed state. */
import { describe, expect, it } from 'vitest';
import type { SavedContent } from '../../../src/console/content/draft.js';
import { makeContexts, readContexts } from '../../../src/console/preview/typed-contexts.js';
import { lineFor, typedEdit } from '../../../src/console/preview/typed-edit.js';
import {
  attributesSource,
  contextOf,
  contextSource,
  rowsOf,
  shownValue,
  valueSource,
} from '../../../src/console/preview/user-context.js';

describe('a user context in a form', () => {
  it('keeps the spelling of attributes through rows', () => {
    const p =
      '{ "spend": 1.10, "id": 12345678901234567890, "country": "DE", "n": "12", "x": [1e400] }';
    const rows = rowsOf(p);
    expect(rows).toEqual([
      { name: 'spend', value: '1.10' },
      { name: 'id', value: '12345678901234567890' },
      { name: 'country', value: 'DE' },
      { name: 'n', value: '"12"' },
      { name: 'x', value: '[1e400]' },
    ]);
    expect(attributesSource(rows ?? [])).toBe(p);
  });

  it('takes what is not JSON for a text', () => {
    expect(valueSource('DE')).toBe('"DE"');
    expect(valueSource(' 12 ')).toBe('12');
    expect(valueSource('')).toBe('""');
    expect(shownValue('"true"')).toBe('"true"');
    expect(shownValue('"a\\u0041"')).toBe('"a\\u0041"');
  });

  it('has no rows for what they cannot say', () => {
    expect(rowsOf('{"a":1,"a":2}')).toBeNull();
    expect(rowsOf('[1]')).toBeNull();
  });

  it('leaves out what is empty', () => {
    expect(contextSource({ u: '', v: '', p: '{}' })).toBe('{}');
    const context = { u: 'ada', v: '1.2.3', p: '{"a":1.10}' };
    expect(contextSource(context)).toBe('{"u":"ada","v":"1.2.3","p":{"a":1.10}}');
    expect(contextOf(contextSource(context))).toEqual(context);
  });
});

describe('pasted user contexts', () => {
  it('are lines of JSON, user ids, or a list', () => {
    const { contexts, faults } = readContexts('{"u":"a","v":"1.0.0"}\r\n\nplayer-2\n"x\\n"\n17');
    expect(faults).toEqual([]);
    expect(contexts.map(({ source }) => source)).toEqual([
      '{"u":"a","v":"1.0.0"}',
      '{"u":"player-2"}',
      '{"u":"x\\n"}',
      '{"u":"17"}',
    ]);
    expect(contexts.map(({ at }) => at)).toEqual([1, 3, 4, 5]);
    expect(contexts[0]?.v).toBe('1.0.0');
    expect(readContexts('{"v":""}')).toMatchObject({ contexts: [{ v: '' }], faults: [] });
    const list = readContexts('[ {"u":"a","p":{"n":1.10}}, "b" ]').contexts;
    expect(list.map(({ source }) => source)).toEqual(['{"u":"a","p":{"n":1.10}}', '{"u":"b"}']);
  });

  it('are told by line where they are faulty, and limited', () => {
    const { contexts, faults } = readContexts('{"u":1}\nok\n{\n{"p":[]}\n{"v":"1"}\n"');
    expect(contexts).toHaveLength(1);
    expect(faults.map(({ at }) => at)).toEqual([1, 3, 4, 5, 6]);
    expect(readContexts('[1,').faults).toHaveLength(1);
    const many = readContexts(Array.from({ length: 10_002 }, (_, n) => `u${n}`).join('\n'));
    expect(many.contexts).toHaveLength(10_000);
    expect(many.faults).toEqual([expect.objectContaining({ at: 10_001 })]);
  });

  it('can be made up like a sample user', () => {
    const made = makeContexts(2, 'p-', '{"u":"x","p":{\n"a":1.10},"v":"1.0.0"}');
    expect(made.split('\n')).toEqual([
      '{"u":"p-1","p":{ "a":1.10},"v":"1.0.0"}',
      '{"u":"p-2","p":{ "a":1.10},"v":"1.0.0"}',
    ]);
    expect(readContexts(made).contexts).toHaveLength(2);
  });
});

const lines = [
  { appVersion: '0.0.0', text: '{"a":0}' },
  { appVersion: '2.0.0', text: '{"a":2}' },
  { appVersion: '10.0.0', text: '{"a":10}' },
];
const saved: SavedContent = {
  env: 'e',
  id: 'i',
  newest: 4,
  live: 4,
  author: 'ana',
  updatedAt: '',
  lines,
  mapping: '[]',
  description: '',
  tags: [],
  schema: 'null',
};

describe('what the API is told of a typed state', () => {
  it('is nothing when the line of the user is as saved', () => {
    expect(typedEdit(saved, saved, '2.5.0')).toEqual({
      line: lines[1],
      text: null,
      appVersion: '2.0.0',
      mapping: null,
    });
    expect(lineFor(lines, '')?.appVersion).toBe('10.0.0');
    expect(lineFor(lines.slice(1), '1.0.0')).toBeNull();
  });

  it('is the text of the line that the user gets, and the mapping when it was typed', () => {
    const changed = { appVersion: '2.0.0', text: '{"a":3}' };
    const state = {
      ...saved,
      lines: [lines[0], changed].flatMap((line) => line ?? []),
      mapping: '[ ]',
    };
    expect(typedEdit(saved, state, '2.5.0')).toMatchObject({
      text: '{"a":3}',
      appVersion: '2.0.0',
    });
    expect(typedEdit(saved, state, '1.0.0')).toMatchObject({ text: null, mapping: '[ ]' });
  });

  it('puts the text in place of a line that was removed', () => {
    const state = { ...saved, lines: lines.slice(0, 2) };
    const edit = typedEdit(saved, state, '11.0.0');
    expect(edit).toMatchObject({ line: lines[1], text: '{"a":2}', appVersion: '10.0.0' });
    expect(typedEdit(saved, { ...saved, lines: lines.slice(1) }, '1.0.0')).toBeNull();
  });

  it('is everything of a content that is new', () => {
    const fresh = { ...saved, newest: 0, live: null };
    const edit = typedEdit(fresh, { ...fresh, mapping: '[]' }, '');
    expect(edit).toEqual({ line: lines[2], text: '{"a":10}', appVersion: '10.0.0', mapping: '[]' });
  });
});
