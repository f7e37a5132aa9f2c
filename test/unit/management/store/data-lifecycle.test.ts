import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tableNames } from '../../../../src/management/database/copied-tables.js';

const page = readFileSync(new URL('../../../../docs/data-lifecycle.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => /^\| .*`/.test(line));

describe('docs/data-lifecycle.md', () => {
  it('says of each table of the store what becomes of it', () => {
    const named = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
    );
    const tables = tableNames.map((name) =>
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    expect(named.toSorted()).toEqual([...tables].sort());
  });

  it('leaves no cell empty', () => {
    for (const row of rows) {
      const cells = row.split('|').slice(1, -1);
      expect(cells).toHaveLength(7);
      expect(cells.map((cell) => cell.trim())).not.toContain('');
    }
  });
});
