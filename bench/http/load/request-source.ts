/** Where the load process takes its requests from, and the response that each expects. */
import { contextOfVariant, variantCount } from '../../data/mappings.js';
import type { RequestPlan } from './load-plan.js';
import { readResponseTable } from './response-table.js';
import { VariantResponses } from './variant-responses.js';

export interface RequestSource {
  /** Requests 0..count-1 are all there are. */
  readonly count: number;
  /** Round robin over all of them, across connections and loads: warming up asks for none twice too soon. */
  next(): number;
  path(request: number): string;
  body(request: number): string;
  /** One per connection: its responses are valid until it is asked for the next. */
  responses(): ExpectedResponses;
}

export interface ExpectedResponses {
  expected(request: number): Uint8Array;
}

export function openSource(plan: RequestPlan): RequestSource {
  const source = sourceOf(plan);
  let at = 0;
  const next = (): number => {
    const request = at;
    at = (at + 1) % source.count;
    return request;
  };
  return { ...source, next };
}

function sourceOf(plan: RequestPlan): Omit<RequestSource, 'next'> {
  const entries = readResponseTable(plan.tablePath);
  if (plan.kind === 'table') {
    return {
      count: entries.length,
      path: (request) => entries[request]!.path,
      body: (request) => entries[request]!.body,
      responses: () => ({ expected: (request) => entries[request]!.response }),
    };
  }
  const bodies = Array.from({ length: variantCount }, (_, variant) =>
    JSON.stringify(contextOfVariant(variant)),
  );
  const { path, response } = entries[0]!;
  return {
    count: variantCount,
    path: () => path,
    body: (request) => bodies[request]!,
    responses: () => new VariantResponses(response),
  };
}
