import { describe, expect, it } from 'vitest';
import { alwaysOn } from '../../../../src/content/guards/always-on.js';
import { envelope, envelopes } from '../envelope/enveloping.js';

const found = (live: string, now: string, mapping = '[]') =>
  alwaysOn([envelope(now, mapping)], [envelope(live)]).map(({ kind, path }) => [kind, path]);
const messages = (live: string, now: string, mapping = '[]') =>
  alwaysOn([envelope(now, mapping)], [envelope(live)]).map(({ message }) => message);

describe('the checks that are always on', () => {
  it('find a number that moves by more than a factor of ten', () => {
    expect(messages('{"price":4.99}', '{"price":4990000}')).toEqual([
      'In version line 1.0.0, /price goes from 4.99 to 4,990,000: more than a factor of 10.',
    ]);
    expect(found('{"price":499}', '{"price":4.99}')).toEqual([['factor', '/price']]);
    expect(found('{"price":4.9}', '{"price":49}')).toEqual([]);
  });

  it('count any change from zero, to zero and of the sign', () => {
    expect(found('{"a":0}', '{"a":1}')).toEqual([['factor', '/a']]);
    expect(found('{"a":1}', '{"a":0}')).toEqual([['factor', '/a']]);
    expect(found('{"a":-5}', '{"a":5}')).toEqual([['factor', '/a']]);
    expect(found('{"a":0}', '{"a":-0.0}')).toEqual([]);
    expect(found('{"a":1e400}', '{"a":2e400}')).toEqual([]);
    expect(found('{"a":1}', '{"a":1e400}')).toEqual([['factor', '/a']]);
  });

  it('find a value whose type changes', () => {
    expect(messages('{"a":"5"}', '{"a":5}')).toEqual([
      'In version line 1.0.0, /a is a string and becomes a number.',
    ]);
    expect(found('{"a":5}', '{"a":null}')).toEqual([['type_changed', '/a']]);
    expect(found('{"a":5}', '{"b":"5"}')).toEqual([]);
  });

  it('find what a rule does, and name it', () => {
    const mapping = '[{"segment":"whales","merge":{"gold":50000000}}]';
    expect(messages('{"gold":5000}', '{"gold":5000}', mapping)).toEqual([
      'In version line 1.0.0, the highest value of /gold goes from 5,000 to 50,000,000 (rule "whales"): more than a factor of 10.',
    ]);
  });

  it('compare arrays of one length element by element, and others as a whole', () => {
    const live = '[{"gold":5},{"gold":500}]';
    expect(found(live, '[{"gold":500},{"gold":500}]')).toEqual([['factor', '/0/gold']]);
    expect(found(live, '[{"gold":7},{"gold":500},{"gold":5}]')).toEqual([]);
    expect(found(live, '[{"gold":5},{"gold":500},{"gold":"x"}]')).toEqual([
      ['type_changed', '/*/gold'],
    ]);
  });

  it('compare a new version line with the one below it, and what players of a line get that is gone', () => {
    const live = envelopes({ '1.0.0': '{"a":1}', '2.0.0': '{"a":200}' });
    const versions = (now: Record<string, string>) =>
      alwaysOn(envelopes(now), live).map(({ version }) => version);
    expect(versions({ '1.0.0': '{"a":1}', '2.0.0': '{"a":200}', '3.0.0': '{"a":1}' })).toEqual([
      '3.0.0',
    ]);
    expect(versions({ '1.0.0': '{"a":1}' })).toEqual(['2.0.0']);
    // Players below 1.0.0 had nothing.
    expect(versions({ '0.5.0': '{"a":"x"}', '1.0.0': '{"a":1}', '2.0.0': '{"a":200}' })).toEqual(
      [],
    );
  });

  it('say once that a mapping cannot be followed, unless what is live cannot either', () => {
    const mapping = '[{"segment":"s","merge":{"a":2}}]';
    const unbounded = envelope('{"a":1}', mapping, 0);
    expect(alwaysOn([unbounded], [envelope('{"a":1}')])).toMatchObject([
      { kind: 'type_changed', path: '' },
    ]);
    expect(alwaysOn([envelope('{"a":"x"}')], [unbounded])).toEqual([]);
  });

  it('stop at a hundred findings', () => {
    const list = (value: number) => JSON.stringify(Array.from({ length: 200 }, () => value));
    expect(found(list(1), list(100))).toHaveLength(100);
  });
});
