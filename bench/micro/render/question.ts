/** Question: what does it cost to render a body that is not cached, of a content that is held ready? */
import { type BenchRule, player, threeRules } from '../../data/mappings.js';
import {
  type AnswerForm,
  type PlainCaller,
  type PlainContent,
  plainAnswer,
} from '../../data/plain-response.js';
import { benchContent } from '../../data/published-game.js';
import type { MicroQuestion } from '../contender.js';
import { documentNamed } from '../documents.js';

export interface Wanted {
  readonly content: PlainContent;
  readonly caller: PlainCaller;
  readonly form: Exclude<AnswerForm, 'plain'>;
}

const rules: readonly BenchRule[] = threeRules;

/** The answer is the body up to the hash, which builds before it left the cached body have behind the data: `{"data":…`. */
export const question: MicroQuestion<Wanted, Uint8Array> = {
  name: 'micro/render',
  contenders: [
    { name: 'native', ours: true },
    { name: 'typescript', ours: true },
    { name: 'merge-stringify', ours: false },
  ],
  input: (name) => ({
    content: benchContent('game', documentNamed(name), rules),
    caller: player as unknown as PlainCaller,
    form: name.startsWith('serialized') ? 'serialized' : 'wrapped',
  }),
  bytes: ({ content }) => Buffer.byteLength(JSON.stringify(content.value)),
  expected: ({ content, caller, form }) => commonPart(plainAnswer(content, caller, form)),
  answer: (body) => commonPart(Buffer.from(body).toString()),
};

export function commonPart(answer: string): string {
  const hashAt = answer.lastIndexOf(',"hash":');
  return hashAt < 0 ? answer : answer.slice(0, hashAt);
}
