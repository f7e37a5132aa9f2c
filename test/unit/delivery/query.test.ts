import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCombineQuery, parseDynamicQuery } from '../../../src/delivery/http/query.js';
import { queriesKeptBytesMax, spellingsPerIdMax } from '../../../src/delivery/limits.js';
import { problems } from '../../../src/delivery/problems.js';

describe('the query of a wrapped request', () => {
  it.each([
    ['', false],
    ['responseType=serialized', true],
    ['dynamic=maybe&c=1', false],
    ['responseType=Serialized', problems.responseTypeInvalid],
    ['responseType=', problems.responseTypeInvalid],
  ])('%j', (query, expected) => {
    expect(parseDynamicQuery(query)).toBe(expected);
  });
});

describe('the query of combine', () => {
  it.each(['c=["a","b"]', 'c=%5B%22a%22%2C%22b%22%5D', 'x=1&c=["a","b","a"]'])('%j', (query) => {
    expect(parseCombineQuery(query, 3)).toMatchObject({
      ids: ['a', 'b'],
      dynamic: false,
      serialized: false,
    });
  });

  it('keeps ids apart that differ in spelling, and knows that they name one content', () => {
    expect(parseCombineQuery('c=["a","b","A"]', 3)).toMatchObject({
      ids: ['a', 'b', 'A'],
      contents: ['a', 'b'],
      contentOf: [0, 1, 0],
    });
  });

  it('counts an id once, whatever its spelling and however often it is written', () => {
    const often = JSON.stringify(Array.from({ length: 500 }, () => 'a'));
    expect(parseCombineQuery(`c=${often}`, 1)).toMatchObject({ ids: ['a'] });
    const spelled = ['abc', 'Abc', 'aBc', 'abC'];
    expect(parseCombineQuery(`c=${JSON.stringify(spelled)}`, 1)).toMatchObject({ ids: spelled });
  });

  it('limits the spellings, since each is an entry of the response', () => {
    const c = (count: number): string => `c=${JSON.stringify(spellingsOf('abcdefgh', count))}`;
    expect(parseCombineQuery(c(2 * spellingsPerIdMax), 2)).toMatchObject({
      contents: ['abcdefgh'],
    });
    expect(parseCombineQuery(c(2 * spellingsPerIdMax + 1), 2)).toBe(problems.idsTooMany);
  });

  it('holds a query that was parsed under a higher limit to the one at hand', () => {
    expect(parseCombineQuery('c=["x","y"]', 2)).toMatchObject({ ids: ['x', 'y'] });
    expect(parseCombineQuery('c=["x","y"]', 1)).toBe(problems.idsTooMany);
  });

  it('keeps few bytes of queries, however many different ones are asked', () => {
    // The process is shared, and others of it may take memory too; queries that are kept would take 24 MB each time.
    const grown = [1, 2, 3].map((round) => {
      const before = heapBytes();
      for (let at = 0; at < 2_000; at += 1) {
        const ids = Array.from({ length: 100 }, (_, id) => `${round}-${at}-${id}`.padEnd(120, 'x'));
        parseCombineQuery(`c=${JSON.stringify(ids)}`, 100);
        parseCombineQuery('dynamic=true', 100, ids);
      }
      return heapBytes() - before;
    });
    expect(Math.min(...grown)).toBeLessThan(2 * queriesKeptBytesMax);
  });

  it.each([
    ['', problems.idsMissing],
    ['c=', problems.idsMissing],
    ['c=a', problems.idsMissing],
    ['c={"a":1}', problems.idsMissing],
    ['c=["a",1]', problems.idsMissing],
    ['c=%', problems.idsMissing],
    ['c=["a","b","c","d"]', problems.idsTooMany],
    ['c=["a","b","c","A","d"]', problems.idsTooMany],
    ['c=[]&dynamic=yes', problems.dynamicInvalid],
    ['c=[]&dynamic=', problems.dynamicInvalid],
    ['c=[]&dynamic=true&responseType=json', problems.responseTypeInvalid],
    ['c=[]&responseType=serialized', problems.responseTypeAlone],
    ['c=[]&dynamic=false&responseType=serialized', problems.responseTypeAlone],
  ])('refuses %j', (query, expected) => {
    expect(parseCombineQuery(query, 3)).toBe(expected);
  });
});

describe('ids in the body', () => {
  const bodyOf = (value: unknown): unknown => JSON.parse(JSON.stringify({ c: value })).c;
  const someIds = fc.array(
    fc.oneof(fc.constantFrom('a', 'A', 'b', '__proto__', ''), fc.string({ unit: 'binary' })),
    { maxLength: 12 },
  );
  const options = fc.constantFrom(
    '',
    'dynamic=true',
    'dynamic=no',
    'x=1',
    'responseType=serialized',
  );

  it('are read as the same ids in the query are, and rejected as those are', () => {
    fc.assert(
      fc.property(
        fc.oneof(someIds, fc.jsonValue()),
        options,
        fc.integer({ min: 1, max: 8 }),
        (c, rest, idsMax) => {
          const written = new URLSearchParams({ c: JSON.stringify(c) });
          expect(parseCombineQuery(rest, idsMax, bodyOf(c))).toEqual(
            parseCombineQuery(`${written}&${rest}`, idsMax),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('do not count where the query has ids, or has them wrong', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(parseCombineQuery('c=["q"]', 3, body)).toMatchObject({ ids: ['q'] });
        expect(parseCombineQuery('c=', 3, body)).toBe(problems.idsMissing);
      }),
    );
  });

  it('are those of this request, though the query is the same and lists were kept', () => {
    const often = Array.from({ length: 500 }, () => 'a');
    expect(parseCombineQuery('dynamic=true', 3, often)).toMatchObject({ ids: ['a'] });
    expect(parseCombineQuery('dynamic=true', 3, ['a', 'a'])).toMatchObject({ ids: ['a'] });
    expect(parseCombineQuery('dynamic=true', 3, ['a'])).toMatchObject({ ids: ['a'] });
    expect(parseCombineQuery('dynamic=true', 3, ['b'])).toMatchObject({
      ids: ['b'],
      dynamic: true,
    });
    expect(parseCombineQuery('dynamic=true', 3, ['a', 'b'])).toMatchObject({ ids: ['a', 'b'] });
    expect(parseCombineQuery('dynamic=true', 1, ['a', 'b'])).toBe(problems.idsTooMany);
    expect(parseCombineQuery('', 3, ['a'])).toMatchObject({ ids: ['a'], dynamic: false });
    expect(parseCombineQuery('dynamic=true', 3)).toBe(problems.idsMissing);
  });

  it('may be nested as deeply as a body can hold, and are rejected', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
    expect(parseCombineQuery('', 3, deep)).toBe(problems.idsMissing);
  });
});

/** The first `count` spellings of an id, which has enough letters. */
function spellingsOf(id: string, count: number): string[] {
  return Array.from({ length: count }, (_, code) =>
    [...id].map((letter, at) => ((code >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
}

/** Heap and buffers in use, after a collection; a second one waits until buffers that the first found are freed. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
