/** A/B tests: listed. */
import type { Repeat } from '../../content/mapping/window.js';
import { type AbTest, listTests } from '../../contract/operations/tests.js';
import { rawObject } from '../http/body/raw-json.js';
import { type Handler, handle } from '../http/handlers.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { toIso } from '../to-iso.js';
import type { PlacedTest } from './environment-tests.js';

export const testHandlers: readonly Handler[] = [
  handle(listTests, async ({ params: { env }, query, context }) => {
    const found = await context.tests.list(env, query.drafts === 'true' ? 'newest' : 'live');
    if (found === null) return environmentUnknown(env);
    // As JSON text: validating thousands of tests against their schema takes longer than finding them.
    return rawObject({ cut: found.cut }, { tests: JSON.stringify(found.tests.map(testJson)) });
  }),
];

function testJson(test: PlacedTest): AbTest {
  const { fromMs, untilMs, isLocal, repeat, variants, ...about } = test;
  const [from, until] = [endText(fromMs, isLocal), endText(untilMs, isLocal)];
  return { ...about, from, until, local: isLocal, repeat: repeatJson(repeat), variants };
}

/** Local time is text without a zone, as in the mapping. */
function endText(ms: number, isLocal: boolean): string | null {
  const text = toIso(Number.isFinite(ms) ? ms : null);
  return isLocal && text !== null ? text.replace('Z', '') : text;
}

function repeatJson(repeat: Repeat | null): AbTest['repeat'] {
  if (repeat === null) return null;
  const { days, from, until, plusDays, everyWeeks } = repeat;
  return { days, from, until, plusDays, everyWeeks };
}
