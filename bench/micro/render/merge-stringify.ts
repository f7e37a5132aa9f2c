/** The ordinary way, from values that are kept: merge, JSON.stringify. */
import { plainResponse } from '../../data/plain-response.js';
import type { Contender } from '../contender.js';
import { commonPart, type Wanted } from './question.js';

export const contender: Contender<Wanted, Uint8Array> = async ({ content, context, form }) => {
  return () => Buffer.from(commonPart(plainResponse(content, context, form)));
};
