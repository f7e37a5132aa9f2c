/** The route that lists the A/B tests of an environment. */
import { z } from 'zod';
import { environmentParams } from '../../contract/schemas/common.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { EnvironmentTests, type PlacedTest } from '../evaluation/environment-tests.js';
import { problems } from '../http/problem-responses.js';
import { toIso } from '../to-iso.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { rawObject, sendRaw } from './raw-json.js';

const group = z.int().min(0).max(999);

const testSchema = z.object({
  content: z.string().describe('Id of the content.'),
  revision: z.int(),
  live: z.boolean().describe('The revision is the live one.'),
  rule: z.int().describe('Its place in the mapping, from 0.'),
  segment: z.string().describe('The name that players are reported under.'),
  saved: z.boolean().describe('Its condition is the saved segment of that name.'),
  info: z.string().nullable(),
  salt: z
    .string()
    .nullable()
    .describe(
      'Tests with the same salt split players along the same line, and so do all without one (null).',
    ),
  from: z.string().nullable().describe('null: it has been open always.'),
  until: z.string().nullable().describe('null: it never ends.'),
  variants: z.array(
    z.object({
      name: z.string(),
      groups: z.tuple([group, group]).describe('First and last, both included.'),
      info: z.string().nullable().describe("Reported instead of the rule's; null: the rule's is."),
      mutation: z
        .enum(['merge', 'patch', 'replace'])
        .nullable()
        .describe('null: a control group, which is delivered the content as it is.'),
    }),
  ),
});
testSchema.register(z.globalRegistry, { id: 'AbTest' });

export function registerTests(app: AdminApp, { store, work }: AdminContext): void {
  const environmentTests = new EnvironmentTests(store, work);

  app.get(
    '/admin/v1/environments/:env/tests',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['evaluate'],
        description:
          'Lists the A/B tests of an environment (the rules with variants), by content: which groups are whose, and who shares a salt.',
        params: environmentParams,
        querystring: z.object({
          drafts: z
            .enum(['true', 'false'])
            .default('false')
            .describe('true: of the newest revisions instead of the live ones.'),
        }),
        response: {
          200: z.object({
            cut: z.boolean().describe('There are more tests than an answer holds.'),
            tests: z.array(testSchema),
          }),
          ...problems('too_costly'),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const which = request.query.drafts === 'true' ? 'newest' : 'live';
      const found = await environmentTests.list(env, which);
      if (found === null) return sendProblem(reply, environmentUnknown(env));
      // Written at once: checking thousands of tests against their shape takes longer than finding them.
      const tests = JSON.stringify(found.tests.map(testJson));
      return sendRaw(reply, 200, rawObject({ cut: found.cut }, { tests }));
    },
  );
}

function testJson(test: PlacedTest): z.input<typeof testSchema> {
  const { content, revision, live, rule, segment, saved, info, salt, variants } = test;
  return {
    ...{ content, revision, live, rule, segment, saved, info, salt },
    from: toIso(Number.isFinite(test.fromMs) ? test.fromMs : null),
    until: toIso(Number.isFinite(test.untilMs) ? test.untilMs : null),
    variants: variants.map(({ name, groups, info: own, mutation }) => {
      return { name, groups: [...groups], info: own, mutation };
    }),
  };
}
