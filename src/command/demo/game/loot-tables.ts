/** What chests hold in the demo game: weights from a seed, odds that stores oblige a game to show. */

import type { DemoContent } from './demo-content.js';
import { heroNames } from './heroes.js';
import { SeededRandom } from './seeded-random.js';

const seed = 0x100712;
const chests = ['driftwood', 'coral', 'moonstone', 'festival', 'guild', 'observatory'] as const;

function makeText(): string {
  const random = new SeededRandom(seed);
  const tables = chests.map((chest, index) => {
    const shards = heroNames.map(
      (hero, at) =>
        `        { "item": "shard-${hero}", "weight": ${at < 6 ? random.between(30, 60) : random.between(2, 20)}, "count": [${index + 1}, ${index + random.between(2, 5)}] }`,
    );
    return `    "chest-${chest}": {
      "rolls": ${index + 2},
      "coins": [${100 * (index + 1)}, ${250 * (index + 1)}],
      "pity": ${index < 2 ? 'null' : `{ "rarity": "legendary", "after": ${80 - index * 8} }`},
      "entries": [
${shards.join(',\n')},
        { "item": "skin-token", "weight": ${random.between(1, 9)}, "count": [1, 1] }, // keep it last: the client shows it apart
      ],
    }`;
  });
  return `{
  // A weight counts against the sum of its table. The odds screen is computed from this file.
  "showOdds": true,
  "tables": {
${tables.join(',\n')},
  },
}
`;
}

const mapping = `[
  { "segment": "lapsed", "info": "welcome-back", "merge": { "tables": { "chest-driftwood": { "rolls": 4 } } } },
]
`;

export const lootTablesContent: DemoContent = {
  id: 'loot-tables',
  description: 'Weights of all chests.',
  tags: ['balance', 'monetisation'],
  lines: [{ appVersion: '0.0.0', text: makeText() }],
  mapping,
  saves: [
    {
      at: '23d 14:00',
      by: 'tomas',
      note: 'Weights of all chests, checked against the odds screen.',
    },
    {
      at: '7d 15:36',
      by: 'mei',
      note: 'Driftwood chests welcome back who was away.',
      mapping: true,
    },
    {
      at: '310min',
      by: 'tomas',
      note: 'Stores oblige us to show the odds.',
      changes: [['"showOdds": false', '"showOdds": true']],
    },
  ],
};
