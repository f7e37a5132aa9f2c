import { describe, expect, it } from 'vitest';
import {
  contentIdIssue,
  copyIdOf,
} from '../../../../src/console/contents/edit/content-id-issue.js';
import {
  contentSlug,
  contentSlugOfFile,
} from '../../../../src/console/contents/edit/content-slug.js';
import { copyLine } from '../../../../src/console/contents/edit/copy-content.js';
import { formatBytes } from '../../../../src/console/parts/format-bytes.js';

describe('the id of a new content', () => {
  const taken = new Set(['shop', 'shop-copy']);

  it('is one that games can ask for, and not taken', () => {
    expect(contentIdIssue('arena.level_1-B', taken)).toBe(null);
    expect(contentIdIssue('', taken)).toMatch(/Give it an id/);
    expect(contentIdIssue('a b', taken)).toMatch(/no spaces/);
    expect(contentIdIssue('a/b', taken)).toMatch(/no "\/"/);
    expect(contentIdIssue('..', taken)).toMatch(/not possible/);
    expect(contentIdIssue('a'.repeat(129), taken)).toMatch(/At most 128/);
    expect(contentIdIssue('SHOP', taken)).toMatch(/A content item with this id/);
  });

  it('is proposed for a copy', () => {
    expect(copyIdOf('arena', taken)).toBe('arena-copy');
    expect(copyIdOf('shop', taken)).toBe('shop-copy-2');
    expect(copyIdOf('a'.repeat(128), taken)).toHaveLength(128);
  });
});

describe('an id made of what is typed', () => {
  it('is what games can ask for', () => {
    expect(contentSlug('season 10 offers')).toBe('season-10-offers');
    expect(contentSlug('  Été: “soldes” ! ')).toBe('Ete-soldes');
    expect(contentSlug('arena.level_1-B')).toBe('arena.level_1-B');
    expect(contentSlug('a/b\\c')).toBe('a-b-c');
    expect(contentSlug('x'.repeat(200))).toHaveLength(128);
    expect(contentSlug('日本')).toBe('');
  });

  it('takes what is an id already as it is, while it is typed as well', () => {
    for (const id of ['shop', 'shop-', '-', 'Shop.2']) expect(contentSlug(id)).toBe(id);
    expect(contentSlug('season ')).toBe('season');
  });

  it('comes from the name of a file without its extension', () => {
    expect(contentSlugOfFile('Daily shop (2).jsonc')).toBe('Daily-shop-2');
    expect(contentSlugOfFile('arena.v2.JSON')).toBe('arena.v2');
  });
});

describe('a copy', () => {
  it('keeps every text, mapping and schema as it is spelled, and is a draft', () => {
    const content = {
      lines: [
        { appVersion: '0.0.0', text: '{ "a": 1.10 } // x' },
        { appVersion: '2.0.0', text: '[1e400]' },
      ],
      flags: ['/a', ''],
      mapping: '[ { "when": {}, "merge": { "a": 2.50 } } ]',
      description: 'What is for sale',
      tags: ['money'],
      schema: '{ "maximum": 1.0 }',
      guards: [{ path: '/a', max: 3, severity: 'block' as const }],
    };
    expect(JSON.parse(copyLine(content, 'copy'))).toEqual({
      kind: 'content',
      id: 'copy',
      ...content,
      live: false,
    });
    expect(copyLine(content, 'copy').endsWith('}\n')).toBe(true);
  });

  it('has no mapping and no schema where there is none', () => {
    const content = {
      lines: [{ appVersion: '0.0.0', text: '1' }],
      mapping: '[]',
      flags: [],
      description: '',
      tags: [],
      schema: 'null',
      guards: [],
    };
    expect(JSON.parse(copyLine(content, 'x'))).toMatchObject({ mapping: null, schema: null });
  });
});

describe('sizes', () => {
  it('are short', () => {
    expect([0, 999, 1024, 1536, 20_480, 1_048_576].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 KB',
      '1.5 KB',
      '20 KB',
      '1.0 MB',
    ]);
  });
});
