/** Question: does the number of contents in an environment cost anything per request? */
import type { Bench, Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { player, threeRules } from '../data/mappings.js';
import { type PlainCaller, plainAnswer } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { raceQuestion } from './race/race.js';
import { type ExpectedRequest, type PreparedScenario, plainDefaults } from './race/scenario.js';

const contentsCount = 10_000;
/** Each contender is asked for all of them before it is measured: --quick has no time for that. */
const requestsQuick = 1_000;

export const tenThousandItems: readonly Question[] = [
  raceQuestion({ ...plainDefaults, name: 'http/ten-thousand-items/wrapped-1kb', prepare }),
];

function prepare({ quick }: Bench): PreparedScenario {
  const contents = Array.from({ length: contentsCount }, (_, number) =>
    benchContent(`item-${number}`, gameContent(number, 1024), threeRules),
  );
  const asked = quick ? contents.slice(0, requestsQuick) : contents;
  const requests = asked.map((content): ExpectedRequest => {
    return {
      path: `/api/v1/config/${content.id}/dynamic`,
      body: JSON.stringify(player),
      expected: plainAnswer(content, player as unknown as PlainCaller, 'wrapped'),
    };
  });
  return { contents, requests, variants: false };
}
