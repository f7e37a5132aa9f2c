/** Question: what does a release that ramps cost per request, for a content item that it changes and for one beside it? */
import type { Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { player, threeRules } from '../data/mappings.js';
import { plainResponse } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { short } from '../report/text-table.js';
import { interleavedQuestion } from './race/interleaved.js';

const contents = ['changed', 'beside'].map((id, at) =>
  benchContent(id, gameContent(at, 1024), threeRules),
);
const [changed] = contents;
/** Half of the callers are in; each has its bucket hashed. */
const permille = 500;

export const ramp: readonly Question[] = [
  interleavedQuestion({
    name: 'http/ramp/wrapped-1kb',
    contents,
    loads: contents.map((content) => ({
      id: content.id,
      requests: [
        {
          path: `/api/v1/config/${content.id}/dynamic`,
          body: JSON.stringify(player),
          expected: plainResponse(content, player, 'wrapped'),
        },
      ],
    })),
    put: (game, isRamping) => game.put([changed!], isRamping ? permille : null),
    without: 'no ramp',
    with: 'beside a ramp',
    note: `${short(permille / 10)} % are in`,
  }),
];
