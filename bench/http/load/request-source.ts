/** Where the load process takes its requests from, and what each must be answered with. */
import { callerOfVariant, variantCount } from '../../data/mappings.js';
import type { RequestPlan } from './load-plan.js';
import { readAnswerTable } from './response-table.js';
import { VariantAnswers } from './variant-responses.js';

export interface RequestSource {
  /** Requests 0..count-1 are all there are. */
  readonly count: number;
  /** Round robin over all of them, across connections and loads: warming up asks for none twice too soon. */
  next(): number;
  path(request: number): string;
  body(request: number): string;
  /** One per connection: its answers are valid until it is asked for the next. */
  answers(): Answers;
}

export interface Answers {
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
  const entries = readAnswerTable(plan.tablePath);
  if (plan.kind === 'table') {
    return {
      count: entries.length,
      path: (request) => entries[request]!.path,
      body: (request) => entries[request]!.body,
      answers: () => ({ expected: (request) => entries[request]!.answer }),
    };
  }
  const bodies = Array.from({ length: variantCount }, (_, variant) =>
    JSON.stringify(callerOfVariant(variant)),
  );
  const { path, answer } = entries[0]!;
  return {
    count: variantCount,
    path: () => path,
    body: (request) => bodies[request]!,
    answers: () => new VariantAnswers(answer),
  };
}
