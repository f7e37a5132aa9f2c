/** The route that lists the servers that share the store. */
import { z } from 'zod';
import type { FleetNode } from '../fleet/fleet.js';
import { problems } from '../http/problem-responses.js';
import { toIso } from '../to-iso.js';
import type { AdminApp, AdminContext } from './context.js';

const nodeSchema = z.object({
  id: z.string().describe('Stays with the data folder of the server.'),
  name: z.string(),
  address: z.string().describe('Where players reach it.'),
  version: z.string().describe('Of Loadout.'),
  startedAt: z.string(),
  seenAt: z.string().describe('When it last told the store that it is there.'),
  sequence: z.int().describe('The newest that all its listeners serve.'),
  lag: z.int().min(0).describe('How many sequences that is behind the store.'),
  serving: z.int().min(0).describe('Listeners that serve.'),
  live: z.boolean().describe('It was seen lately; `wait=fleet` waits for it.'),
  self: z.boolean().describe('It is the server that answers.'),
});
nodeSchema.register(z.globalRegistry, { id: 'FleetNode' });

export function registerNodes(app: AdminApp, { fleet }: AdminContext): void {
  app.get(
    '/admin/v1/nodes',
    {
      // Nothing in it is of an environment, so it is the same for all.
      config: { role: 'viewer', scoped: true },
      schema: {
        tags: ['operations'],
        description:
          'The servers that share the store, by name: how far each is, and whether it is there. An embedded store has one.',
        response: {
          200: z.object({
            sequence: z.int().describe("The store's newest one."),
            nodes: z.array(nodeSchema),
          }),
          ...problems('store_unavailable'),
        },
      },
    },
    async (_request, reply) => {
      const nodes = await fleet.nodes();
      return reply.send({ sequence: fleet.status().storeSequence, nodes: nodes.map(nodeJson) });
    },
  );
}

function nodeJson({ startedAtMs, seenAtMs, ...node }: FleetNode): z.infer<typeof nodeSchema> {
  return { ...node, startedAt: toIso(startedAtMs), seenAt: toIso(seenAtMs) };
}
