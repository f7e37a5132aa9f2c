/** What JSON.parse and JSON.stringify cost when there are no comments at all. */
import type { Contender } from '../contender.js';
import type { Text } from './question.js';

export const contender: Contender<Text, Uint8Array> = async ({ json }) => {
  return () => Buffer.from(JSON.stringify(JSON.parse(json.toString('utf8'))));
};
