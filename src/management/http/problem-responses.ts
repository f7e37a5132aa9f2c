/** Describes the refusals of a route for OpenAPI: each route names the codes that it can answer with. */
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  type ProblemCode,
  type ProblemStatus,
  problemCodes,
  statusOf,
} from '../../contract/problems.js';
import { faultSchema } from '../../contract/schemas/common.js';

/** RFC 9457 problem details, in the form of docs/delivery-api.md. */
export const problemSchema = z
  .object({
    type: z.literal('about:blank'),
    title: z.string().describe('The words of the status.'),
    status: z.int().describe('The status of the answer.'),
    code: z.enum(problemCodes).describe('What a program decides by; each operation lists its own.'),
    detail: z.string().describe('One helpful sentence for people.'),
    errors: z.array(faultSchema).optional().describe('What is wrong with the input, where it is.'),
    between: z
      .array(
        z.object({
          revision: z.int(),
          author: z.string(),
          createdAt: z.string(),
          note: z.string(),
          live: z.boolean(),
        }),
      )
      .optional()
      .describe('With revision_conflict: what was saved since, newest first.'),
  })
  .meta({
    id: 'Problem',
    description: 'Why a request was refused (RFC 9457).',
    examples: [
      {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        code: 'invalid_content',
        detail: 'The text is not JSON.',
        errors: [{ path: 'text', message: 'expected a value', line: 3, column: 12 }],
      },
    ],
  });

/** One status of a route: all the codes that it can come with. */
export interface ProblemResponse {
  readonly description: string;
  readonly codes: readonly ProblemCode[];
  readonly content: {
    readonly 'application/problem+json': { readonly schema: typeof problemSchema };
  };
}

/**
 * The `response` members for these codes, to be spread beside the success: one per status, its codes named. What
 * follows from a route's role, path and body needs no naming: `describeRoute` adds it.
 */
export function problems(
  ...codes: readonly ProblemCode[]
): Readonly<Record<ProblemStatus, ProblemResponse>> {
  const byStatus = new Map<ProblemStatus, Set<ProblemCode>>();
  for (const code of codes) {
    const status = statusOf(code);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  const described = [...byStatus].map(
    ([status, of]) => [status, problemResponse(status, [...of].sort())] as const,
  );
  return Object.fromEntries(described) as Record<ProblemStatus, ProblemResponse>;
}

/** Whether a member of a route's `response` was made by `problems`. */
export function isProblemResponse(response: unknown): response is ProblemResponse {
  return typeof response === 'object' && response !== null && 'codes' in response;
}

function problemResponse(status: ProblemStatus, codes: readonly ProblemCode[]): ProblemResponse {
  const named = codes.map((code) => `\`${code}\``).join(', ');
  return {
    description: `${STATUS_CODES[status]}: ${named}.`,
    codes,
    content: { 'application/problem+json': { schema: problemSchema } },
  };
}
