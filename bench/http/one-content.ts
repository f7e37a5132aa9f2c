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

/** Those that the goals of bench/README.md speak of. */
const goals = new Set(['wrapped-1kb', 'wrapped-10kb', 'wrapped-100kb', 'gzip-100kb']);

export const oneContent: readonly Question[] = forms.flatMap((form) =>
  sizes.map((kilobytes) => {
    const name = `${form}-${kilobytes}kb`;
    return raceQuestion(scenarioOf(name, form, kilobytes), goals.has(name));
  }),
);

function scenarioOf(name: string, form: Form, kilobytes: number): Scenario {
  return {
    ...plainDefaults,
    contenders: contendersOf(form),
    name: `http/one-content/${name}`,
    gzip: form === 'gzip',
    secure: form === 'tls',
    crossCheck: crossCheckOf(name),
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

/** The first sketch takes part; with its pool on another core where the goals are. */
function contendersOf(form: Form): Scenario['contenders'] {
  if (form === 'tls') return plainDefaults.contenders;
  const pooled = [...plainDefaults.contenders, 'pooled'] as const;
  return form === 'wrapped' ? [...pooled, 'pooled-aside'] : pooled;
}

function crossCheckOf(name: string): Scenario['crossCheck'] {
  if (name === 'wrapped-1kb') return 'always';
  return goals.has(name) ? 'unless-quick' : 'on-demand';
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
