/** Looks for faults that keep people out: axe-core, in the page itself. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The list of an open field is at the end of the page, outside of its landmarks; the field names it. */
const dropdown = /-dropdown$/;

/** Under a modal dialog the page is out of reach: what floats above it is looked at alone. */
const shown = `document.querySelector('[aria-modal="true"]') === null ? document : '[data-portal]'`;

/**
 * One line for each fault with where it is, by WCAG 2.2 AA and axe-core's best practices. The size of targets is a rule of WCAG 2.2
 * that axe-core only checks on request.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so the page's policy does not forbid it.
  await page.evaluate(axe);
  const results = (await page.evaluate(
    `axe.run(${shown}, {
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true } },
    })`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ target }) => id !== 'region' || !dropdown.test(target.join(' ')))
      .map(({ target, failureSummary }) => {
        return `${id} (${help}) at ${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`;
      }),
  );
}
