/** The file of icons has those that the console imports, and no other: it is made by a script that is easily forgotten. */
import { expect, it } from 'vitest';
import * as icons from '../../../src/console/icons/icons.js';
import { importedIcons } from '../../../src/console/icons/make-icons.mjs';

it('has each icon that a source of the console imports, and no other', () => {
  const imported = importedIcons();
  expect(imported.length).toBeGreaterThan(100);
  expect(Object.keys(icons).sort()).toEqual(imported);
});
