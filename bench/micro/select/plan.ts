/** The compiled plan: conditions are closures, selections are interned with their text. */
import { importFrom, importMakeContext } from '../../build.js';
import type { Contender } from '../contender.js';
import type { Choosing } from './question.js';

export const contender: Contender<Choosing, string> = async ({ rules, context }, root) => {
  type Mapping = typeof import('../../../src/content/mapping/mapping.js');
  type Plan = typeof import('../../../src/content/content-plan.js');
  const { parseMapping } = await importFrom<Mapping>(root, 'content/mapping/mapping.js');
  const { ContentPlan } = await importFrom<Plan>(root, 'content/content-plan.js');
  const makeEvaluationContext = await importMakeContext(root);
  const mapping = parseMapping(Buffer.from(JSON.stringify(rules)));
  if (!mapping.ok) throw new Error('The mapping does not parse.');
  const plan = new ContentPlan('game', [], mapping.rules, () => undefined);
  const nowMs = Date.UTC(2026, 0);
  return () => {
    const made = makeEvaluationContext(context.u, context.p, context.v);
    const { segJson } = plan.select(made, nowMs)!;
    return `{"uid":${made.uid},"mod":${made.mod},"seg":${segJson}}`;
  };
};
