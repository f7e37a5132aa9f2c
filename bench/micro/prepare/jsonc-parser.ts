/** The ordinary way: jsonc-parser to values (its "index"), JSON.stringify, and the same hash. */
import { type ParseError, parse } from 'jsonc-parser';
import { hashOf } from '../../data/content-hash.js';
import type { Contender } from '../contender.js';
import type { Prepared, Text } from './question.js';

export const contender: Contender<Text, Prepared> = async ({ bytes }) => {
  return () => {
    const errors: ParseError[] = [];
    const value: unknown = parse(bytes.toString('utf8'), errors, { allowTrailingComma: true });
    if (errors.length > 0) throw new Error('jsonc-parser rejects the text.');
    const json = JSON.stringify(value);
    return { json: Buffer.from(json), hash: hashOf(json) };
  };
};
