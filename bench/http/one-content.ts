/** Question: what does one content cost, by size and form, with its rendered body cached? */
import type { Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { player, threeRules } from '../data/mappings.js';
import { type AnswerForm, type PlainCaller, plainAnswer } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { raceQuestion } from './race/race.js';
import { plainDefaults, type Scenario } from './race/scenario.js';

const sizes = [1, 10, 100] as const;
/** `gzip` and `tls`: wrapped, compressed and over TLS on kept connections. */
const forms = ['plain', 'wrapped', 'serialized', 'gzip', 'tls'] as const;
type Form = (typeof forms)[number];

export const oneContent: readonly Question[] = forms.flatMap((form) =>
  sizes.map((kilobytes) => raceQuestion(scenarioOf(form, kilobytes))),
);

function scenarioOf(form: Form, kilobytes: number): Scenario {
  return {
    ...plainDefaults,
    name: `http/one-content/${form}-${kilobytes}kb`,
    gzip: form === 'gzip',
    secure: form === 'tls',
    prepare: () => {
      const bytes = kilobytes * 1024;
      const content = benchContent('game', gameContent(kilobytes, bytes), threeRules);
      const answerForm: AnswerForm = form === 'gzip' || form === 'tls' ? 'wrapped' : form;
      const expected = plainAnswer(content, player as unknown as PlainCaller, answerForm);
      const request = { path: pathOf(answerForm), body: JSON.stringify(player), expected };
      return { contents: [content], requests: [request], variants: false };
    },
  };
}

function pathOf(form: AnswerForm): string {
  switch (form) {
    case 'plain':
      return '/api/v1/config/game';
    case 'wrapped':
      return '/api/v1/config/game/dynamic';
    case 'serialized':
      return '/api/v1/config/game/dynamic?responseType=serialized';
  }
}
