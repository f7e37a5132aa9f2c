/** Question: what does it cost to render a body that is not cached, of a content that is held ready? */
import { type BenchRule, type PlainContext, player, threeRules } from '../../data/mappings.js';
import { type PlainContent, plainResponse, type ResponseForm } from '../../data/plain-response.js';
import { benchContent } from '../../data/published-game.js';
import type { MicroQuestion } from '../contender.js';
import { documentNamed } from '../documents.js';

export interface Wanted {
  readonly content: PlainContent;
  readonly context: PlainContext;
  readonly form: Exclude<ResponseForm, 'plain'>;
}

const rules: readonly BenchRule[] = threeRules;

/** The result is the body up to the hash, which builds before it left the cached body have behind the data: `{"data":…`. */
export const question: MicroQuestion<Wanted, Uint8Array> = {
  name: 'micro/render',
  contenders: [
    { name: 'native', ours: true },
    { name: 'typescript', ours: true },
    { name: 'merge-stringify', ours: false },
  ],
  input: (name) => ({
    content: benchContent('game', documentNamed(name), rules),
    context: player,
    form: name.startsWith('serialized') ? 'serialized' : 'wrapped',
  }),
  bytes: ({ content }) => Buffer.byteLength(JSON.stringify(content.value)),
  expected: ({ content, context, form }) => commonPart(plainResponse(content, context, form)),
  actual: (body) => commonPart(Buffer.from(body).toString()),
};

export function commonPart(body: string): string {
  const hashAt = body.lastIndexOf(',"hash":');
  return hashAt < 0 ? body : body.slice(0, hashAt);
}
