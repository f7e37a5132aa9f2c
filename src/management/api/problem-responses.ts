/** Describes the refusals of a route for OpenAPI: each route names the codes that it can answer with. */
import { z } from 'zod';
import { type RefusalCode, statusOf } from '../authoring/refusal.js';
import { faultShape } from './shapes.js';

/** RFC 9457 problem details, as CONTRACT.md words them. */
export const problemShape = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    errors: z.array(faultShape).optional(),
  })
  .meta({ id: 'Problem' });

/** What every route with a body or a token can answer. */
const everywhere: readonly RefusalCode[] = [
  'invalid_request',
  'invalid_token',
  'forbidden',
  'internal',
];

/** The `response` members for these codes, to be spread beside the success: one per status, its codes named. */
export function problems(...codes: readonly RefusalCode[]): Record<number, z.ZodType> {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of [...everywhere, ...codes]) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const described = [...byStatus].map(
    ([status, of]) => [status, problemShape.describe(`Codes: ${of.join(', ')}.`)] as const,
  );
  return Object.fromEntries(described);
}
