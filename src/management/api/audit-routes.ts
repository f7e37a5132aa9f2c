/** The route that shows who did what. */
import { z } from 'zod';
import { auditRowsDefault, auditRowsMax } from '../limits.js';
import { listAudit } from '../store/audit.js';
import type { AdminApp, AdminContext } from './context.js';
import { timeText } from './shapes.js';

const eventShape = z.object({
  id: z.string(),
  at: z.string(),
  userId: z.string(),
  userName: z.string(),
  action: z.string(),
  environment: z.string(),
  name: z.string(),
  address: z.string(),
  details: z.record(z.string(), z.unknown()),
});

export function registerAudit(app: AdminApp, context: AdminContext): void {
  app.get(
    '/admin/v1/audit',
    {
      config: { role: 'owner' },
      schema: {
        tags: ['audit'],
        description: 'Newest first.',
        querystring: z.object({
          environment: z.string().optional(),
          before: z.string().optional().describe('Id of the event before which the page begins.'),
          limit: z.coerce.number().int().min(1).max(auditRowsMax).default(auditRowsDefault),
        }),
        response: { 200: z.object({ events: z.array(eventShape) }) },
      },
    },
    async (request) => {
      const events = await context.store.read((db) => listAudit(db, request.query));
      return {
        events: events.map(({ atMs, details, ...event }) => ({
          ...event,
          at: timeText(atMs),
          details: { ...details },
        })),
      };
    },
  );
}
