/** A/B tests: listed. */
import { type AbTest, listTests } from '../../contract/operations/tests.js';
import { rawObject } from '../http/body/raw-json.js';
import { type Handler, handle } from '../http/handlers.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { windowJson } from '../window-json.js';
import type { PlacedTest } from './environment-tests.js';

export const testHandlers: readonly Handler[] = [
  handle(listTests, async ({ params: { env }, query, context }) => {
    const found = await context.tests.list(env, query.drafts === 'true' ? 'newest' : 'live');
    if (found === null) return environmentUnknown(env);
    // As JSON text: validating thousands of tests against their schema takes longer than finding them.
    return rawObject({ cut: found.cut }, { tests: JSON.stringify(found.tests.map(testJson)) });
  }),
];

function testJson({ variants, fromMs, untilMs, isLocal, repeat, ...about }: PlacedTest): AbTest {
  return { ...about, ...windowJson({ fromMs, untilMs, isLocal, repeat }), variants };
}
