/** What this server knows to be wrong, in one list. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { healthStateSchema } from './rejections.js';

/** Each has its line in docs/operating.md. */
export const findingCodes = [
  'not_serving',
  'publishing_failed',
  'store_unavailable',
  'texts_damaged',
  'certificate_invalid',
  'events_blocked',
  'requests_rejected',
  'processes_missing',
  'processes_restarted',
  'nodes_away',
  'streams_nearly_full',
  'webhooks_failing',
  'certificate_reload_failed',
  'certificate_expires',
  'clock_skewed',
  'events_not_stored',
  'events_waiting',
  'events_lost',
  'experiment_counts_dropped',
  'disk_nearly_full',
  'log_lines_dropped',
] as const;

export type FindingCode = (typeof findingCodes)[number];

const findingSchema = z
  .object({
    code: z.enum(findingCodes),
    severity: z
      .enum(['failing', 'attention'])
      .describe('failing: players or edits are affected now. attention: they soon may be.'),
    summary: z.string().describe('What is wrong, in one sentence.'),
    look: z.string().describe('Where to look, or what to do, in one sentence.'),
  })
  .register(z.globalRegistry, { id: 'HealthFinding' });

export type Finding = z.output<typeof findingSchema>;

export const listFindings = operation('GET /health/findings', {
  tag: 'operations',
  operationId: 'listHealthFindings',
  description:
    'What this server knows to be wrong, the worst first, and the state that follows from it. Failing webhooks are listed for owners of all environments.',
  role: 'viewer',
  // It holds nothing of an environment.
  scoped: true,
  responses: {
    200: z.object({
      state: healthStateSchema.describe(
        'The severity of the worst finding; healthy: there is none.',
      ),
      findings: z.array(findingSchema),
    }),
  },
});
