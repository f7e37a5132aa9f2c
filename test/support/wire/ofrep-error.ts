/** What every rejection in OFREP's form looks like, so that each test that provokes one checks all of it. */
import { expect } from 'vitest';
import type { Answer } from './exchange.js';

/** @param key of the flag; undefined where the request names none */
export function expectOfrepError(
  answer: Pick<Answer, 'status' | 'headers' | 'text' | 'json'>,
  status: number,
  errorCode: string,
  code: string,
  key?: string,
): void {
  expect(`${answer.status} ${answer.text}`).toContain(`${status} {`);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const error = answer.json;
  const members = ['errorCode', 'errorDetails', 'metadata'];
  expect(Object.keys(error)).toEqual(key === undefined ? members : ['key', ...members]);
  expect(error).toMatchObject({ errorCode, metadata: { code } });
  expect(error.key).toBe(key);
  expect(error.errorDetails).toMatch(/^\S.{10,}/);
  if (status === 429) expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
}
