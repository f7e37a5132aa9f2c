/** Question: what does a gzip answer cost when all but the caller's tail is known? */
import { gunzipSync } from 'node:zlib';
import type { MicroQuestion } from '../contender.js';
import { minifiedNamed } from '../documents.js';

export interface Answering {
  /** The same for everybody. */
  readonly body: Buffer;
  /** The caller's own. */
  readonly tail: string;
}

export const question: MicroQuestion<Answering, Uint8Array> = {
  name: 'micro/gzip-tail',
  contenders: [
    { name: 'copy', ours: false, isYardstick: true },
    { name: 'cached-blocks', ours: true },
    { name: 'zlib-level-1', ours: false },
    { name: 'zlib-level-6', ours: false },
  ],
  input: (name) => ({
    body: Buffer.concat([Buffer.from('{"data":'), minifiedNamed(name)]),
    tail: '2405837410,"mod":410,"seg":[{"n":"spenders-us","v":null,"i":"promo-7"}]}}',
  }),
  bytes: ({ body }) => body.byteLength,
  expected: ({ body, tail }) => `${body}${tail}`,
  answer: (member) => (member[0] === 0x1f ? gunzipSync(member) : member),
};
