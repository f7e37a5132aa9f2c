/** What tests of experiments stand on: a content with an A/B test that is live, and an experiment of it. */
import type { Answer, Harness } from '../harness.js';
import { startApi } from '../harness.js';

export const priceTest = {
  segment: 'price-test',
  when: {},
  salt: 'exp-1',
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'cheap', groups: [500, 999], merge: { price: 3 } },
  ],
};

export type TestRule = Omit<typeof priceTest, 'salt'> & Readonly<Record<string, unknown>>;

export const shopText = '{\n  // euros\n  "price": 5,\n  "gold": 100\n}';

/** Publishes a content with these rules. */
export function publish(
  { dev }: Harness,
  rules: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
  id = 'Shop',
): Promise<Answer> {
  return dev('PUT', `/contents/${id}`, { text: shopText, mapping: rules, publish: true, ...more });
}

export async function makeExperiment(
  { dev }: Harness,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const record = { id: 'prices', content: 'shop', segment: 'price-test', control: 'control' };
  return dev('POST', '/experiments', { ...record, ...more });
}

/** An environment in which the experiment "prices" runs. */
export async function startRunning(rule: TestRule = priceTest): Promise<Harness> {
  const harness = await startApi();
  await publish(harness, [rule]);
  await makeExperiment(harness);
  await harness.dev('POST', '/experiments/prices/start', {});
  return harness;
}
