/** Looks for faults that keep people out: axe-core, in the page itself. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One line for each serious or critical fault, with where it is. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so the page's policy does not forbid it.
  await page.evaluate(axe);
  const results = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => {
        return `${id} (${help}) at ${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`;
      }),
    );
}
