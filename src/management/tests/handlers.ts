/** A/B tests: listed, and which of them interfere. */
import {
  type Interference,
  listInterference,
} from '../../contract/operations/experiments/interference.js';
import { type AbTest, listTests } from '../../contract/operations/tests.js';
import { describeInterference } from '../contents/warnings/find-interference.js';
import { rawObject } from '../http/body/raw-json.js';
import { type Handler, handle } from '../http/handlers.js';
import { interferencePathsShownMax } from '../limits/evaluation.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { instantText, windowJson } from '../window-json.js';
import type { PlacedInterference } from './environment-interference.js';
import type { PlacedTest } from './environment-tests.js';

export const testHandlers: readonly Handler[] = [
  handle(listTests, async ({ params: { env }, query, context }) => {
    const found = await context.tests.list(env, query.drafts === 'true' ? 'newest' : 'live');
    if (found === null) return environmentUnknown(env);
    // As JSON text: validating thousands of tests against their schema takes longer than finding them.
    return rawObject({ cut: found.cut }, { tests: JSON.stringify(found.tests.map(testJson)) });
  }),

  handle(listInterference, async ({ params: { env }, query, context }) => {
    const which = query.drafts === 'true' ? 'newest' : 'live';
    const found = await context.interference.list(env, which);
    if (found === null) return environmentUnknown(env);
    return { cut: found.cut, pairs: found.pairs.map(interferenceJson) };
  }),
];

function testJson({ mapping: _, ...test }: PlacedTest): AbTest {
  const { variants, fromMs, untilMs, isLocal, repeat, ...about } = test;
  return { ...about, ...windowJson({ fromMs, untilMs, isLocal, repeat }), variants };
}

function interferenceJson(pair: PlacedInterference): Interference {
  const { content, revision, live, a, b, lists, when } = pair;
  const paths = pair.paths.slice(0, interferencePathsShownMax);
  return {
    ...{ content, revision, live },
    a: { ...a, experiment: pair.experimentOfA },
    b: { ...b, experiment: pair.experimentOfB },
    ...{ paths, pathsLeftOut: pair.paths.length - paths.length, lists },
    ...{ from: instantText(when.startMs), until: instantText(when.endMs) },
    reason: `In "${content}", ${describeInterference(pair)}.`,
  };
}
