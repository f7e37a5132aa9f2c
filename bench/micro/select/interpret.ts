/** The ordinary way: walk the rules as they were written, and JSON.stringify. */
import { selectPlainly } from '../../data/plain-response.js';
import type { Contender } from '../contender.js';
import type { Choosing } from './question.js';

export const contender: Contender<Choosing, string> = async ({ rules, caller }) => {
  return () => JSON.stringify(selectPlainly(rules, caller).meta);
};
