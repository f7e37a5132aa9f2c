import { describe, expect, it } from 'vitest';
import {
  isConnectionError,
  postgresError,
  StoreUnavailable,
} from '../../../../src/management/store/store-errors.js';

function withCode(code: string): Error {
  return Object.assign(new Error(`the driver's words, with s3cret`), { code });
}

describe('a fault of the database', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ENOTFOUND',
    '57P01',
    '08006',
    '53300',
    '55P03',
    '55000',
  ])('%s is told as the store being away or busy, without the words of the driver', (code) => {
    const fault = postgresError(withCode(code));
    expect(fault).toBeInstanceOf(StoreUnavailable);
    expect((fault as Error).message).not.toContain('s3cret');
  });

  it.each(['ECONNRESET', 'EPIPE', '57P01', '08006', '25006'])(
    '%s ends the connection that it happened on',
    (code) => {
      expect(isConnectionError(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', '22021', '42703'])('%s is ours, and the connection goes on', (code) => {
    const error = withCode(code);
    expect(postgresError(error)).toBe(error);
    expect(isConnectionError(error)).toBe(false);
  });

  it('that waiting does not mend is told as it is', () => {
    for (const error of [
      new TypeError('a value that cannot be sent'),
      withCode('encoding_unusable'),
    ]) {
      expect(postgresError(error)).toBe(error);
    }
  });
});
