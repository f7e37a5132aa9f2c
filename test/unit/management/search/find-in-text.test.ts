import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripJsonc } from '../../../../src/content/json/jsonc.js';
import { placeOfPointer } from '../../../../src/management/contents/validate/place-of-pointer.js';
import { findInText, type TextHit } from '../../../../src/management/search/find-in-text.js';

const noLimit = Number.MAX_SAFE_INTEGER;

function find(text: string | Uint8Array, query: string): readonly TextHit[] {
  return findInText({ text: Buffer.from(text), query, from: 0, limit: noLimit }).hits;
}

/** Paths of the hits, keys with a `!`. */
function pathsIn(text: string, query: string): string[] {
  return find(text, query).map(({ path, match }) => (match === 'key' ? `${path}!` : path));
}

describe('what is found in a text', () => {
  it('is each key, string, number and word that contains it, in either case', () => {
    const text = '{"Price": 4.99, "items": [{"name": "price tag"}, "no", 14.995], "on": true}';
    expect(pathsIn(text, 'price')).toEqual(['/Price!', '/items/0/name']);
    expect(pathsIn(text, '4.99')).toEqual(['/Price', '/items/2']);
    expect(pathsIn(text, 'TRU')).toEqual(['/on']);
    expect(pathsIn(text, 'nothing')).toEqual([]);
  });

  it('is neither in comments nor across values', () => {
    const text = '// lamp\n{"a": "la", /* lamp */ "mp": "b"}';
    expect(pathsIn(text, 'lamp')).toEqual([]);
    expect(pathsIn(text, '": "')).toEqual([]);
  });

  it('counts however JSON writes the characters', () => {
    const text = String.raw`{"k": "\u004Camp \u00e4 \ud83d\udca1 a\/b \"q\" \\ \n"}`;
    for (const query of ['lamp', 'Ä', '💡', 'a/b', '"q"', '\\', '\n']) {
      expect([query, pathsIn(text, query)]).toEqual([query, ['/k']]);
    }
  });

  it('takes every character of the query as it is', () => {
    expect(pathsIn('{"a": "1+1=2 (.*)", "b": "11=2"}', '1+1')).toEqual(['/a']);
    expect(pathsIn('{"a": "x.*y", "b": "xzzy"}', '.*')).toEqual(['/a']);
  });

  it('has paths of RFC 6901, and the line and column of the key or value', () => {
    const text = '{\r\n  // first\r\n  "a/b~c": [\r\n    1,\r\n    "ä💡", "lamp"\r\n  ]\r\n}';
    const [hit] = find(text, 'lamp');
    expect(hit).toEqual({
      ...{ path: '/a~1b~0c/2', match: 'value', line: 5, column: 12 },
      ...{ snippet: 'lamp', at: 0, length: 4 },
    });
    expect(find(text, 'B~C')[0]).toMatchObject({ path: '/a~1b~0c', line: 3, column: 3 });
  });

  it('is shown with what is around it where it is long', () => {
    const [hit] = find(`{"a": "${'x'.repeat(500)}lamp${'y'.repeat(500)}"}`, 'LAMP');
    const { snippet = '', at = 0, length } = hit ?? {};
    expect([snippet.slice(at, at + (length ?? 0)), snippet.length]).toEqual(['lamp', 162]);
    expect([snippet.at(0), snippet.at(-1)]).toEqual(['…', '…']);
  });

  it('comes in pages that go on where the one before ended', () => {
    const text = Buffer.from(JSON.stringify(Array.from({ length: 10 }, (_, i) => `lamp ${i}`)));
    const paths: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const page: ReturnType<typeof findInText> = findInText({
        text,
        query: 'lamp',
        from,
        limit: 3,
      });
      expect(page.hits.length).toBeLessThanOrEqual(3);
      paths.push(...page.hits.map(({ path }) => path));
      from = page.next;
    }
    expect(paths).toEqual(Array.from({ length: 10 }, (_, i) => `/${i}`));
  });

  it('is found across the borders of the windows in which bytes are looked at', () => {
    const filler = 'x'.repeat(1024 * 1024 - 8);
    for (const shift of [3, 5, 6]) {
      const text = `["${filler}${'y'.repeat(shift)}lamp", "lamp"]`;
      expect(pathsIn(text, 'lamp')).toEqual(['/0', '/1']);
    }
  });

  it('is all that a search over parsed values finds, and nothing else', () => {
    const characters = fc.constantFrom(...Array.from('aAbBäÄжЖ1.e-"\\/\n\t {}[]:,💡ß'));
    const word = fc.array(characters, { maxLength: 6 }).map((all) => all.join(''));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        word,
        fc.constantFrom(0, 1, -1.5, 1e21, 14.1, true, false, null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(word, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    const query = fc.array(characters, { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
    const choices = fc.array(fc.nat(99), { minLength: 50, maxLength: 50 });
    fc.assert(
      fc.property(tree, query, choices, (value, wanted, chosen) => {
        const text = Buffer.from(written(value, chooser(chosen)));
        const json = stripJsonc(text, 100);
        if (!(json instanceof Uint8Array)) throw new Error(`not JSON: ${text}`);
        const parsed: unknown = JSON.parse(Buffer.from(json).toString());
        const hits = find(text, wanted);
        const found = hits.map(({ path, match }) => `${match} ${path}`).sort();
        expect(found).toEqual(naiveSearch(parsed, '', wanted).sort());
        for (const { path, match, line, column, snippet, at, length } of hits) {
          expect(contains(snippet.slice(at, at + length), wanted)).toBe(true);
          if (match === 'value') expect({ line, column }).toEqual(placeOfPointer(text, path));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Chooses among so many, the same way each time. */
function chooser(choices: readonly number[]): (count: number) => number {
  let next = 0;
  return (count) => (choices[next++ % choices.length] ?? 0) % count;
}

/** JSON with comments that means the value: blanks, comments and escapes are chosen. */
function written(value: unknown, choose: (count: number) => number): string {
  const gap = (): string => ['', ' ', '\n', '/* a1 */', '// b "ä\n', '\r\n'][choose(6)] ?? '';
  if (typeof value === 'string') return gap() + literalOf(value, choose) + gap();
  if (Array.isArray(value)) {
    const items = value.map((item) => written(item, choose)).join(',');
    return `${gap()}[${items}${value.length > 0 && choose(3) === 0 ? ',' : ''}${gap()}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${gap()}${literalOf(key, choose)}${gap()}:${written(member, choose)}`,
    );
    return `${gap()}{${members.join(',')}${gap()}}`;
  }
  return gap() + JSON.stringify(value) + gap();
}

function literalOf(text: string, choose: (count: number) => number): string {
  const characters = Array.from(text, (character) => {
    if (choose(4) > 0) return JSON.stringify(character).slice(1, -1);
    if (character === '/') return '\\/';
    const units = Array.from({ length: character.length }, (_, at) =>
      character.charCodeAt(at).toString(16).padStart(4, '0'),
    );
    return units.map((unit) => `\\u${choose(2) === 0 ? unit : unit.toUpperCase()}`).join('');
  });
  return `"${characters.join('')}"`;
}

/** Kind and path of every key and value that contains it. */
function naiveSearch(value: unknown, path: string, wanted: string): string[] {
  if (typeof value !== 'object' || value === null) {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    return contains(shown, wanted) ? [`value ${path}`] : [];
  }
  return Object.entries(value).flatMap(([key, member]) => {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const isKeyHit = !Array.isArray(value) && contains(key, wanted);
    return [...(isKeyHit ? [`key ${at}`] : []), ...naiveSearch(member, at, wanted)];
  });
}

function contains(text: string, wanted: string): boolean {
  const [all, part] = [Array.from(text), Array.from(wanted)];
  return all.some((_, at) =>
    part.every((one, index) => {
      const other = all[at + index];
      return other === one || other === one.toLowerCase() || other === one.toUpperCase();
    }),
  );
}
