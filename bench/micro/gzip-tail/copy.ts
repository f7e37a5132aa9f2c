/** The uncompressed response, copied together. */
import type { Contender } from '../contender.js';
import type { GzipInput } from './question.js';

export const contender: Contender<GzipInput, Uint8Array> = async ({ body, tail }) => {
  return () => Buffer.concat([body, Buffer.from(tail)]);
};
