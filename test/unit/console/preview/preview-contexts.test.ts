/** Promises of user contexts as people type and paste them. */
import { describe, expect, it } from 'vitest';
import {
  makeContexts,
  readContexts,
} from '../../../../src/console/preview/contexts/typed-contexts.js';
import {
  attributesSource,
  contextOf,
  contextSource,
  rowsOf,
  shownValue,
  valueSource,
} from '../../../../src/console/preview/contexts/user-context.js';

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
