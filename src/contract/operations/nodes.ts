/** The servers that share the store. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { behindBelowSchema } from '../schemas/common.js';

const nodeSchema = z
  .object({
    id: z.string().describe('Stays with the data folder of the server.'),
    name: z.string(),
    address: z.string().describe('Where players reach it.'),
    version: z.string().describe('Of Loadout.'),
    startedAt: z.string(),
    seenAt: z.string().describe('When it last reported to the store.'),
    sequence: z.int().describe('The newest that all its delivery processes serve.'),
    lag: z.int().min(0).describe('How many sequences that is behind the store.'),
    serving: z.int().min(0).describe('Delivery processes that serve.'),
    live: z.boolean().describe('It was seen lately; `wait=fleet` waits for it.'),
    self: z.boolean().describe('It is the server that responds.'),
    follows: z
      .string()
      .optional()
      .describe(
        'Id of the server that it follows; left out: it shares the store. Followers of the server that responds are listed, each with the least that it and its own followers serve.',
      ),
    behindBelow: behindBelowSchema,
  })
  .register(z.globalRegistry, { id: 'FleetNode' });

export type FleetNode = z.output<typeof nodeSchema>;

export const listNodes = operation('GET /nodes', {
  tag: 'operations',
  description:
    'The servers that share the store, by name: how far each is, and whether it is there. An embedded store has one.',
  role: 'viewer',
  // It holds nothing of an environment, so it is the same for all users.
  scoped: true,
  responses: {
    200: z.object({
      sequence: z.int().describe("The store's newest one."),
      nodes: z.array(nodeSchema),
    }),
  },
});
