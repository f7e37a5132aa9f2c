/** Sample users: saved user contexts that everyone in an environment shares. Delivery does not use them. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { environmentParams, nameSchema } from '../schemas/common.js';
import { userContextFields } from '../schemas/user-context.js';

const sampleUserSchema = z
  .object({
    name: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    context: z
      .object({
        u: z.string().optional(),
        p: z.record(z.string(), z.unknown()).optional(),
        v: z.string().optional(),
      })
      .describe('The members that were given; the values of `p` byte for byte as they were sent.'),
  })
  .register(z.globalRegistry, { id: 'SampleUser' });

export type SampleUser = z.output<typeof sampleUserSchema>;

const sampleUserParams = environmentParams.extend({
  name: nameSchema.describe('Name of the sample user.'),
});

const { p, v } = userContextFields;

export const listSampleUsers = operation('GET /environments/:env/sample-users', {
  tag: 'evaluate',
  description: 'Lists the saved user contexts that contents are tried with, by name.',
  role: 'viewer',
  params: environmentParams,
  responses: {
    200: z.object({
      limit: z.int().describe('Of sample users in one environment.'),
      sampleUsers: z.array(sampleUserSchema),
    }),
  },
});

export const putSampleUser = operation('PUT /environments/:env/sample-users/:name', {
  tag: 'evaluate',
  description: 'Saves a user context under a name, and replaces what was saved under it.',
  role: 'editor',
  params: sampleUserParams,
  body: z
    .strictObject({ u: z.string().optional().describe('User id.'), p, v })
    .register(z.globalRegistry, {
      examples: [{ u: 'player-123', p: { country: 'DE', level: 12 }, v: '1.4.0' }],
    }),
  responses: { 200: sampleUserSchema, 201: sampleUserSchema },
  problems: ['limit_reached'],
});

export const deleteSampleUser = operation('DELETE /environments/:env/sample-users/:name', {
  tag: 'evaluate',
  description: 'Removes a saved user context.',
  role: 'editor',
  params: sampleUserParams,
  responses: { 200: z.object({ name: z.string() }) },
  problems: ['sample_user_not_found'],
});
