/** Question: what does it cost to find every key and value of delivered JSON? */
import type { MicroQuestion } from '../contender.js';
import { minifiedNamed } from '../documents.js';
import { plainIndex } from './plain-index.js';

export const question: MicroQuestion<Buffer, Uint32Array | string> = {
  name: 'micro/index',
  contenders: [
    { name: 'native', ours: true },
    { name: 'typescript', ours: true },
    { name: 'parse', ours: false, isYardstick: true },
  ],
  input: minifiedNamed,
  bytes: (json) => json.byteLength,
  expected: (json) => bytesOf(plainIndex(json.toString('utf8'))),
  answer: (nodes) => (typeof nodes === 'string' ? nodes : bytesOf(nodes)),
};

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
