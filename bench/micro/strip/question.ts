/** Question: what does it cost to make delivered JSON of a stored text, checked and stripped of comments? */
import type { MicroQuestion } from '../contender.js';
import { minifiedNamed, textNamed } from '../documents.js';

export interface Text {
  readonly bytes: Buffer;
  readonly json: Buffer;
}

export const levelsMax = 1000;

export const question: MicroQuestion<Text, Uint8Array> = {
  name: 'micro/strip',
  contenders: [
    { name: 'native', ours: true },
    { name: 'typescript', ours: true },
    { name: 'jsonc-parser', ours: false },
    { name: 'strip-json-comments', ours: false },
    { name: 'parse-stringify', ours: false, isYardstick: true },
  ],
  input: (name) => ({ bytes: textNamed(name), json: minifiedNamed(name) }),
  bytes: ({ bytes }) => bytes.byteLength,
  expected: ({ json }) => json,
  answer: (json) => json,
};
