/** The content of scenarios in which it is not the content that matters: 1 KB, three rules. */
import { gameContent } from '../../data/game-content.js';
import { player, threeRules } from '../../data/mappings.js';
import { type PlainCaller, type PlainContent, plainAnswer } from '../../data/plain-response.js';
import { benchContent } from '../../data/published-game.js';
import type { ExpectedRequest } from './scenario.js';

export function smallContent(): { content: PlainContent; request: ExpectedRequest } {
  const content = benchContent('small', gameContent(1, 1024), threeRules);
  const expected = plainAnswer(content, player as unknown as PlainCaller, 'wrapped');
  const path = '/api/v1/config/small/dynamic';
  return { content, request: { path, body: JSON.stringify(player), expected } };
}
