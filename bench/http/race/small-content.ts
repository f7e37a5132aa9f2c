/** The content of scenarios in which it is not the content that matters: 1 KB, three rules. */
import { gameContent } from '../../data/game-content.js';
import { player, threeRules } from '../../data/mappings.js';
import { type PlainCaller, type PlainContent, plainAnswer } from '../../data/plain-response.js';
import { benchContent } from '../../data/published-game.js';
import { type ExpectedRequest, plainDefaults, type Scenario } from './scenario.js';

function smallContent(): { content: PlainContent; request: ExpectedRequest } {
  const content = benchContent('small', gameContent(1, 1024), threeRules);
  const expected = plainAnswer(content, player as unknown as PlainCaller, 'wrapped');
  const path = '/api/v1/config/small/dynamic';
  return { content, request: { path, body: JSON.stringify(player), expected } };
}

/** A scenario that asks for nothing else. @param more contents that are published beside it */
export function smallScenario(
  name: string,
  more: () => readonly PlainContent[] = () => [],
): Scenario {
  return {
    ...plainDefaults,
    name,
    prepare: () => {
      const { content, request } = smallContent();
      return { contents: [content, ...more()], requests: [request], variants: false };
    },
  };
}
