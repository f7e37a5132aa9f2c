/** Question: what does it cost to change five fields, in three places, of a content that is held ready? */
import jsonMergePatch from 'json-merge-patch';
import type { JsonObject } from '../../data/game-content.js';
import type { MicroQuestion } from '../contender.js';
import { documentNamed } from '../documents.js';

export interface Edit {
  readonly json: Buffer;
  /** RFC 7396. */
  readonly patch: JsonObject;
}

export const bytesMax: number = 64 * 1024 * 1024;

export const question: MicroQuestion<Edit, Uint8Array> = {
  name: 'micro/splice',
  contenders: [
    { name: 'copy', ours: false, isYardstick: true },
    { name: 'typescript', ours: true },
    { name: 'merge-stringify', ours: false },
    { name: 'parse-merge-stringify', ours: false },
  ],
  input: (name) => ({
    json: Buffer.from(JSON.stringify(documentNamed(name))),
    patch: {
      settings: { banner: 'treasure', refreshSeconds: 60 },
      economy: { dailyCoins: 750, discountPercent: 15 },
      events: { active: true },
    },
  }),
  bytes: ({ json }) => json.byteLength,
  expected: ({ json, patch }) =>
    JSON.stringify(jsonMergePatch.apply(JSON.parse(json.toString('utf8')), structuredClone(patch))),
  answer: (json) => json,
};
