/** What every refusal looks like (RFC 9457 problem details), so that each test that provokes one checks all of it. */
import { expect } from 'vitest';
import type { Answer } from './exchange.js';

const titles: Readonly<Record<number, RegExp>> = {
  400: /^Bad Request$/,
  401: /^Unauthorized$/,
  404: /^Not Found$/,
  405: /^Method Not Allowed$/,
  409: /^Conflict$/,
  413: /^(Payload|Content) Too Large$/,
  503: /^Service Unavailable$/,
};

/** Asserts status, code and the whole form of a refusal of the delivery port. */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  expect(`${answer.status} ${answer.text}`).toContain(`${status} {`);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const problem = answer.json;
  expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'code', 'detail']);
  expect(problem).toMatchObject({ type: 'about:blank', status, code });
  expect(problem.title).toMatch(titles[status] ?? /^\w/);
  expect(problem.detail).toMatch(/^\S.{10,}/);
}

/** Asserts that management refused the input, in the same form; returns the located `errors`. */
export function expectInvalid(
  answer: Answer,
): readonly { path: string; message: string; line?: number; column?: number }[] {
  expect(`${answer.status} ${answer.text.slice(0, 300)}`).toMatch(/^400 \{/);
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(answer.json).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
  expect(answer.json.code).toMatch(/^[a-z_]+$/);
  expect(answer.json.detail).toMatch(/^\S.{10,}/);
  return answer.json.errors ?? [];
}
