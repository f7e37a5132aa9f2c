/** JSON.parse of the content: what looking at every value costs at least, without rules. */
import type { Contender } from '../contender.js';
import type { RuledContent } from './question.js';

export const contender: Contender<RuledContent, string> = async ({ json }) => {
  return () => (JSON.parse(json.toString('utf8')) === null ? 'null' : 'highest 4900');
};
