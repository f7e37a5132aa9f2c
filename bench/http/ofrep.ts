/** Question: what does OFREP's evaluation of one flag cost, beside the wrapped response with the same content? */
import type { Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { player, threeRules } from '../data/mappings.js';
import { plainFlag } from '../data/plain-flag.js';
import { type PlainContent, plainResponse } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { raceQuestion } from './race/race.js';
import { type ExpectedRequest, plainDefaults } from './race/scenario.js';

const requests = {
  single: (content) => {
    const { u, v, p } = player;
    const context = { targetingKey: u, appVersion: v, ...p };
    return {
      path: `/ofrep/v1/evaluate/flags/${content.id}`,
      body: JSON.stringify({ context }),
      expected: plainFlag(content, player),
    };
  },
  wrapped: (content) => ({
    path: `/api/v1/config/${content.id}/dynamic`,
    body: JSON.stringify(player),
    expected: plainResponse(content, player, 'wrapped'),
  }),
} as const satisfies Record<string, (content: PlainContent) => ExpectedRequest>;

export const ofrep: readonly Question[] = Object.entries(requests).map(([kind, requestOf]) =>
  raceQuestion({
    ...plainDefaults,
    name: `http/ofrep/${kind}-1kb`,
    prepare: () => {
      const content = benchContent('game', gameContent(1, 1024), threeRules);
      return { contents: [content], requests: [requestOf(content)], variants: false };
    },
  }),
);
