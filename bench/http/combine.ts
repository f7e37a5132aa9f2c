/** Question: what do ten contents of 2 KB cost in one call? */
import type { Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { player, threeRules } from '../data/mappings.js';
import { type PlainCaller, plainAnswer } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { raceQuestion } from './race/race.js';
import { type PreparedScenario, plainDefaults } from './race/scenario.js';

export const combine: readonly Question[] = ['wrapped', 'gzip'].map((form) =>
  raceQuestion({
    ...plainDefaults,
    name: `http/combine/${form}-10x2kb`,
    gzip: form === 'gzip',
    prepare,
  }),
);

function prepare(): PreparedScenario {
  const contents = Array.from({ length: 10 }, (_, number) =>
    benchContent(`game-${number}`, gameContent(number, 2048), threeRules),
  );
  const caller = player as unknown as PlainCaller;
  const entries = contents.map(
    (content) => `${JSON.stringify(content.id)}:${plainAnswer(content, caller, 'wrapped')}`,
  );
  const ids = JSON.stringify(contents.map(({ id }) => id));
  const path = `/api/v1/combine/?c=${encodeURIComponent(ids)}&dynamic=true`;
  const request = { path, body: JSON.stringify(player), expected: `{${entries.join(',')}}` };
  return { contents, requests: [request], variants: false };
}
