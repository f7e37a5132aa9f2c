/** The tables of scenarios and kits in docs/clients.md, between its markers. */
import { kits } from '../../clients/conformance/kits.js';
import type { ScenarioGroup } from '../../clients/conformance/scenario.js';
import { Notes, table } from '../support/exceptions-table.js';

const begin = '<!-- kits -->';
const end = '<!-- /kits -->';

/** @param page as it is, in Markdown; of it everything but the tables stays */
export function withScenarioTables(page: string, groups: readonly ScenarioGroup[]): string {
  const notes = new Notes();
  const tables = groups.map(({ title, scenarios }) =>
    table(
      [title, ...kits.map(({ name }) => name)],
      scenarios.map(({ name, except }) => [
        // A bar would end the cell.
        name.replaceAll('|', '\\|'),
        ...kits.map((kit) => notes.cell(except[kit.name])),
      ]),
    ),
  );
  const list = notes.list().trim() === '' ? [] : [notes.list()];
  const made = [begin, ...tables, ...list, end].join('\n');
  return page.slice(0, page.indexOf(begin)) + made + page.slice(page.indexOf(end) + end.length);
}
