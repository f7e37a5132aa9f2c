/** Question: what does a stored text cost from JSONC to all that delivery needs: checked JSON, its index, its hash? */
import { hashOf } from '../../data/content-hash.js';
import type { MicroQuestion } from '../contender.js';
import { minifiedNamed, textNamed } from '../documents.js';

export interface Text {
  readonly bytes: Buffer;
  readonly json: Buffer;
}

export interface Prepared {
  readonly json: Uint8Array;
  readonly hash: string;
}

export const levelsMax = 1000;

export const question: MicroQuestion<Text, Prepared> = {
  name: 'micro/prepare',
  contenders: [
    { name: 'native', ours: true },
    { name: 'typescript', ours: true },
    { name: 'jsonc-parser', ours: false },
  ],
  input: (name) => ({ bytes: textNamed(name), json: minifiedNamed(name) }),
  bytes: ({ bytes }) => bytes.byteLength,
  expected: ({ json }) => `${hashOf(json.toString('utf8'))} ${json}`,
  answer: ({ json, hash }) => `${hash} ${Buffer.from(json)}`,
};
