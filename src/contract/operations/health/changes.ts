/** What was published lately: marks on charts, to compare with what happened to requests. */
import { z } from 'zod';
import { publishMarksMax } from '../../limits.js';
import { operation } from '../../operation.js';

const changeSchema = z
  .object({
    id: z.string().describe('Of the audit event.'),
    at: z.iso.datetime(),
    environment: z.string(),
    action: z
      .string()
      .describe('As the audit names it, such as `content.publish` or `release.start`.'),
    name: z.string().describe('Id of the content, name of the segment, number of the release.'),
    title: z.string().describe('What people call it: the title of a release, otherwise the name.'),
    by: z.string().describe('Name of the user; `system`: the server itself.'),
  })
  .register(z.globalRegistry, { id: 'PublishedChange' });

export type PublishedChange = z.output<typeof changeSchema>;

export const listPublishedChanges = operation('GET /health/changes', {
  tag: 'operations',
  operationId: 'listPublishedChanges',
  description:
    'What reached players in the last hour, oldest first: publishes, rollbacks, deletions, syncs, imports, and steps of releases. Of the environments that the user may see.',
  role: 'viewer',
  scoped: true,
  responses: {
    200: z.object({
      changes: z.array(changeSchema).describe(`The newest ${publishMarksMax} at most.`),
      leftOut: z.boolean().describe('There were more.'),
    }),
  },
});
