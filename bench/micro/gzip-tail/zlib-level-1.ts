/** zlib for every response, at level 1, its fastest. */
import { gzipSync } from 'node:zlib';
import type { Contender } from '../contender.js';
import type { GzipInput } from './question.js';

export const contender: Contender<GzipInput, Uint8Array> = async ({ body, tail }) => {
  return () => gzipSync(Buffer.concat([body, Buffer.from(tail)]), { level: 1 });
};
