/** The ordinary way, from values that are kept: merge, JSON.stringify. */
import { plainAnswer } from '../../data/plain-response.js';
import type { Contender } from '../contender.js';
import { commonPart, type Wanted } from './question.js';

export const contender: Contender<Wanted, Uint8Array> = async ({ content, caller, form }) => {
  return () => Buffer.from(commonPart(plainAnswer(content, caller, form)));
};
