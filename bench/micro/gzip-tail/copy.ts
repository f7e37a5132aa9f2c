/** The uncompressed answer, copied together. */
import type { Contender } from '../contender.js';
import type { Answering } from './question.js';

export const contender: Contender<Answering, Uint8Array> = async ({ body, tail }) => {
  return () => Buffer.concat([body, Buffer.from(tail)]);
};
