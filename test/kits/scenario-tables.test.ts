/** Goal: docs/clients.md says which kit passes which scenario. A difference is accepted with `-u`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { kits } from '../../clients/conformance/kits.js';
import { readScenarios } from '../../clients/conformance/scenario.js';
import { withScenarioTables } from './scenario-tables.js';

const groups = readScenarios();

it('the page about clients has a row for each scenario', async () => {
  const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));
  await expect(withScenarioTables(readFileSync(page, 'utf8'), groups)).toMatchFileSnapshot(page);
});

it('exceptions name kits that there are', () => {
  const names = new Set(kits.map(({ name }) => name));
  const named = groups.flatMap(({ scenarios }) =>
    scenarios.flatMap(({ except }) => Object.keys(except)),
  );
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});
