/** The documentation of the console lists exactly the acts that it asks about, with what it asks. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { protectedActs } from '../../../../src/console/parts/acts/protected-acts.js';

it('docs/console.md has a row for each act of a protected environment', () => {
  const page = readFileSync('docs/console.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([\w.]+)` \| (typed|named) \|/gm)];
  const documented = rows.map(([, act, asks]) => [act, asks]);
  expect(documented).toEqual(Object.entries(protectedActs).map(([act, { care }]) => [act, care]));
});
