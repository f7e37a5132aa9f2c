/** Question: what does it cost per request that an environment keeps values and a sample of contexts, against names alone? */
import type { Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { type PlainContext, player, threeRules } from '../data/mappings.js';
import { plainResponse } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { interleavedQuestion } from './race/interleaved.js';

const content = benchContent('game', gameContent(1, 1024), threeRules);

const countries = ['DE', 'FR', 'US', 'JP', 'BR'];
/** As a game sends them: a few with frequent values, one like an id. */
const players: readonly PlainContext[] = Array.from({ length: 4_096 }, (_, at) => ({
  u: `player-${at.toString(16).padStart(10, '0')}`,
  p: {
    ...player.p,
    ...{ store: at % 2 === 0 ? 'play' : 'apple', lang: countries[at % 5] ?? 'DE', rank: at % 90 },
    ...{ deviceId: `device-${at * 7919}`, vip: at % 10 === 0, build: `1.${at % 4}.0` },
  },
  v: player.v,
}));

export const keptTraffic: readonly Question[] = [
  interleavedQuestion({
    name: 'http/traffic/wrapped-1kb',
    contents: [content],
    loads: [
      {
        id: content.id,
        requests: players.map((context) => ({
          path: `/api/v1/config/${content.id}/dynamic`,
          body: JSON.stringify(context),
          expected: plainResponse(content, context, 'wrapped'),
        })),
      },
    ],
    put: (game, isKept) => game.keep(isKept ? 'contexts' : 'names'),
    without: 'names alone',
    with: 'values and contexts',
    note: `${players.length} players in turn, each with a dozen attributes`,
  }),
];
