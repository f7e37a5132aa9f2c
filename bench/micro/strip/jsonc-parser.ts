/** The library that editors use: to values, and back to text. (Numbers do not come out as they were stored.) */
import { type ParseError, parse } from 'jsonc-parser';
import type { Contender } from '../contender.js';
import type { Text } from './question.js';

export const contender: Contender<Text, Uint8Array> = async ({ bytes }) => {
  return () => {
    const errors: ParseError[] = [];
    const value: unknown = parse(bytes.toString('utf8'), errors, { allowTrailingComma: true });
    if (errors.length > 0) throw new Error('jsonc-parser rejects the text.');
    return Buffer.from(JSON.stringify(value));
  };
};
