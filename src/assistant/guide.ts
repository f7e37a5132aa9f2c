/** What an assistant can read beside tools: pages of the documentation, content items by address; and a prompt to begin with. */
import { readFile } from 'node:fs/promises';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { programFolder } from '../program-folder.js';
import { AssistantClient, type Connection } from './assistant-client.js';
import { shownText } from './shown-text.js';

/** Pages of docs/ that say how to write what a draft needs. */
const pages: Readonly<Record<string, string>> = {
  concepts: 'Environments, content items, app version lines, targeting rules, releases',
  targeting: 'Targeting rules: every member of a rule, every operator of a condition',
  experiments: 'Experiments: rules with variants, metrics, results',
  releases: 'Releases: ramps, brakes, review',
};

export function addGuide(server: McpServer, connection: Connection): void {
  for (const [page, title] of Object.entries(pages)) {
    const uri = `loadout://docs/${page}`;
    server.registerResource(page, uri, { title, mimeType: 'text/markdown' }, async () => ({
      contents: [
        {
          uri,
          mimeType: 'text/markdown',
          text: await readFile(new URL(`../docs/${page}.md`, programFolder), 'utf8'),
        },
      ],
    }));
  }
  server.registerResource(
    'content',
    new ResourceTemplate('loadout://content/{env}/{id}', { list: undefined }),
    { title: 'Newest revision of a content item', mimeType: 'text/plain' },
    async ({ href }, { env, id }, context) => {
      const client = new AssistantClient(connection, context.mcpReq.signal);
      const params = { env: String(env), id: String(id) };
      const content = await client.read('GET /environments/:env/contents/:id', { params });
      return { contents: [{ uri: href, mimeType: 'text/plain', text: shownText(content) }] };
    },
  );
  server.registerPrompt(
    'propose_price_test',
    {
      title: 'Propose a price test',
      description: 'Drafts a release with a price test of a content item, for people to review.',
      argsSchema: z.object({
        env: z.string().describe('Id of the environment.'),
        content: z.string().describe('Id of the content item with the price.'),
        idea: z.string().describe('Which price to try, and why.'),
      }),
    },
    ({ env, content, idea }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: priceTest(env, content, idea) } }],
    }),
  );
}

function priceTest(env: string, content: string, idea: string): string {
  return [
    `Propose a price test in Loadout: content item ${content} of environment ${env}. The idea: ${idea}`,
    '1. Read the content item (read_content), its envelope (read_envelope), experiments and metrics of the environment.',
    '2. Write one targeting rule with two variants, control and the new price, with a salt of its own (loadout://docs/experiments). Keep the other rules.',
    '3. Check it: check_draft, check_values, evaluate for some players, preview with madeUp.',
    '4. Compute the sample size for the primary metric.',
    '5. create_release with a ramp and a brake, draft_content into it, draft_experiment for the rule.',
    '6. Say the number of the release, what it changes, whom it reaches, how long it should run, and what could go wrong. A person reviews, approves and publishes it; you cannot.',
  ].join('\n');
}
