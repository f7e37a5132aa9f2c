import { describe, expect, it } from 'vitest';
import { envelope, envelopes } from './enveloping.js';

const pathsOf = (line: string, mapping?: string) => [...envelope(line, mapping).paths.keys()];
const at = (path: string, line: string, mapping?: string) =>
  envelope(line, mapping).paths.get(path);

const line = '{"offers":[{"gold":5},{"gold":500}],"name":"shop"}';

describe('an envelope', () => {
  it('is the line itself where there are no rules, with the elements of an array as one', () => {
    expect(pathsOf(line)).toEqual(['', '/offers', '/offers/*', '/offers/*/gold', '/name']);
    const source = { rule: null, segment: null, variant: null };
    expect(at('/offers/*/gold', line)).toEqual({
      path: '/offers/*/gold',
      types: ['number'],
      isAlwaysThere: true,
      min: { value: 5, source },
      max: { value: 500, source },
      texts: ['5', '500'],
    });
  });

  it('names the rule and the variant that write the lowest and the highest number', () => {
    const mapping = `[
      {"segment":"whales","patch":[{"op":"replace","path":"/offers/0/gold","value":50000000}]},
      {"segment":"test","variants":[
        {"name":"a","groups":[0,1]},
        {"name":"b","groups":[2,3],"merge":{"offers":[{"gold":1}]}}]}]`;
    expect(at('/offers/*/gold', line, mapping)).toMatchObject({
      min: { value: 1, source: { rule: 1, segment: 'test', variant: 'b' } },
      max: { value: 50_000_000, source: { rule: 0, segment: 'whales', variant: null } },
    });
  });

  it('follows a rule that builds on what another rule writes', () => {
    const mapping = `[
      {"segment":"a","merge":{"event":{"bonus":2}}},
      {"segment":"b","patch":[{"op":"copy","from":"/event/bonus","path":"/offers/0/gold"}]}]`;
    expect(at('/offers/*/gold', line, mapping)).toMatchObject({ min: { value: 2 } });
    expect(at('/event/bonus', line, mapping)).toMatchObject({ isAlwaysThere: false });
  });

  it('leaves out what a patch could write that never applies', () => {
    const mapping = `[{"segment":"a","patch":[
      {"op":"test","path":"/name","value":"other"},
      {"op":"replace","path":"/offers/0/gold","value":9}]}]`;
    expect(at('/offers/*/gold', line, mapping)).toMatchObject({ min: { value: 5 } });
  });

  it('reads of a repeated key the last, as clients do, and drops all of them where a rule removes it', () => {
    const repeated = '{"a":1,"b":2,"a":7}';
    expect(at('/a', repeated)).toMatchObject({ texts: ['7'] });
    const mapping = '[{"segment":"s","merge":{"a":null}}]';
    expect(at('/a', repeated, mapping)).toMatchObject({ texts: ['7'], isAlwaysThere: false });
  });

  it('has numbers as doubles, and those beyond doubles as infinite', () => {
    expect(at('', '1e400')?.max).toMatchObject({ value: Number.POSITIVE_INFINITY });
    expect(at('', '9007199254740993')?.max).toMatchObject({ value: 9_007_199_254_740_992 });
  });

  it('lists scalars while they are few and short', () => {
    const many = JSON.stringify(Array.from({ length: 33 }, (_, i) => i));
    expect(at('/*', many)?.texts).toBeNull();
    expect(at('', JSON.stringify('x'.repeat(300)))?.texts).toBeNull();
    expect(at('', '"short"')?.texts).toEqual(['"short"']);
  });

  it('escapes names in its paths', () => {
    expect(pathsOf('{"a/b":{"m~n":1}}')).toEqual(['', '/a~1b', '/a~1b/m~0n']);
  });

  it('has the lines apart, each with all of the rules', () => {
    const lines = { '1.0.0': '{"a":1}', '2.0.0': '{"a":2}' };
    const both = envelopes(lines, '[{"segment":"s","merge":{"a":9}}]');
    expect(both.map(({ version, paths }) => [version, paths.get('/a')?.texts])).toEqual([
      ['1.0.0', ['1', '9']],
      ['2.0.0', ['2', '9']],
    ]);
  });
});

describe('the limits of an envelope', () => {
  it('list 20,000 paths, and say that there are more', () => {
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 25_000 }, (_, i) => [i, i])),
    );
    const { paths, isTruncated } = envelope(wide);
    expect(paths.size).toBe(20_000);
    expect(isTruncated).toBe(true);
  });

  it('take a document and a merge of a thousand levels', () => {
    const deep = `${'{"a":'.repeat(999)}1${'}'.repeat(999)}`;
    const { paths } = envelope(deep, `[{"segment":"s","merge":${deep.replace('1', '2')}}]`);
    expect(paths.get('/a'.repeat(999))).toMatchObject({ texts: ['1', '2'] });
  });

  it('end the work on a hostile mapping with any value, and say so', () => {
    const operations = (rule: number) =>
      Array.from({ length: 100 }, (_, i) => `{"op":"add","path":"/k${rule}_${i}","value":${i}}`);
    const rules = Array.from({ length: 50 }, (_, i) => {
      return `{"segment":"s","patch":[${operations(i).join()}]}`;
    });
    const { isUnbounded, paths } = envelope('{}', `[${rules.join()}]`, 10_000);
    expect(isUnbounded).toBe(true);
    expect([...paths.values()]).toMatchObject([{ path: '', types: { length: 6 } }]);
  });

  it('end where copies of the document within itself grow without end', () => {
    const copies = Array.from({ length: 60 }, (_, i) => {
      return `{"segment":"s","patch":[{"op":"copy","from":"","path":"/${i % 2 === 0 ? 'a' : 'b'}"}]}`;
    });
    expect(envelope('{"x":1}', `[${copies.join()}]`).isUnbounded).toBe(true);
  });
});
