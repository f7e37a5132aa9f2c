/** The season's battle pass of the demo game: sixty tiers, free and premium. */

import type { DemoContent } from './demo-content.js';
import { SeededRandom } from './seeded-random.js';

const seed = 0xba77e;
const tiersMax = 60;

function makeText(): string {
  const random = new SeededRandom(seed);
  const tiers = Array.from({ length: tiersMax }, (_, index) => {
    const tier = index + 1;
    const free = tier % 3 === 0 ? '{ "embers": 5 }' : `{ "coins": ${random.between(2, 9) * 50} }`;
    const premium =
      tier % 10 === 0
        ? `{ "skin": "season-9-${tier}" }`
        : random.pick(['{ "pearls": 15 }', '{ "chest": "chest-coral" }', '{ "skin-token": 1 }']);
    return `    { "tier": ${tier}, "experience": ${800 + tier * 40}, "free": ${free}, "premium": ${premium} }`;
  });
  return `{
  "season": 9,
  "title": "battle-pass.season-9.title",
  "theme": "festival-of-lanterns",
  "price": { "premium": { "sku": "com.lumen.pass.9", "price": 9.99 }, "premiumPlus": { "sku": "com.lumen.pass.9.plus", "price": 19.99, "tiers": 12 } },
  "tierPrice": { "pearls": 60 },
  // Every tenth tier carries a skin: artists deliver six a season.
  "tiers": [
${tiers.join(',\n')},
  ],
  "missions": {
    "daily": [
      { "id": "win-levels", "count": 3, "experience": 150 },
      { "id": "light-lanterns", "count": 40, "experience": 120 },
      { "id": "use-skill", "count": 5, "experience": 100 },
    ],
    "weekly": [
      { "id": "win-duels", "count": 10, "experience": 900 },
      { "id": "three-stars", "count": 15, "experience": 1000 },
      { "id": "help-guild", "count": 6, "experience": 700 },
    ],
  },
  "catchUp": { "fromWeek": 5, "experienceFactor": 1.0 },
}
`;
}

const mapping = `[
  // Who was away gets the season's first tiers faster.
  {
    "segment": "lapsed",
    "info": "catch-up",
    "patch": [
      { "op": "test", "path": "/season", "value": 9 },
      { "op": "replace", "path": "/catchUp/experienceFactor", "value": 2.5 },
      { "op": "replace", "path": "/catchUp/fromWeek", "value": 1 },
    ],
  },
  { "segment": "whales", "merge": { "price": { "premiumPlus": { "tiers": 20 } } } },
]
`;

export const battlePassContent: DemoContent = {
  id: 'battle-pass',
  description: 'Tiers and missions of season 9.',
  tags: ['live-ops', 'monetisation'],
  lines: [{ appVersion: '0.0.0', text: makeText() }],
  mapping,
  saves: [
    {
      at: '22d 12:12',
      by: 'mei',
      note: 'Season 9: the festival of lanterns.',
    },
    { at: '9d 10:20', by: 'mei', note: 'Catching up for those who were away.', mapping: true },
    {
      at: '95min',
      by: 'tomas',
      note: 'A tier costs less: 75 to 60 pearls.',
      changes: [['"tierPrice": { "pearls": 75 }', '"tierPrice": { "pearls": 60 }']],
    },
  ],
};
