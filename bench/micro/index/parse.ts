/** JSON.parse, whose values are what an ordinary program finds its way by. */
import type { Contender } from '../contender.js';

export const contender: Contender<Buffer, string> = async (json) => {
  return () => (JSON.parse(json.toString('utf8')) === null ? 'null' : 'values');
};
