/** What the demo game's team has begun and ended: a sale that is over, guilds that are not out yet, an arena that is a draft. */

import type { DemoContent } from './demo-content.js';

const winterSale = `{
  // Over. Kept here so that next year's sale can begin with it.
  "title": "shop.sale.winter",
  "percentOff": 30,
  "packs": ["pearls-chest", "pearls-treasury"],
}
`;

const guilds = `{
  "create": { "coins": 2500, "minLevel": 10 },
  "ranks": ["deckhand", "sailor", "mate", "captain"],
  // Experience a guild needs for each level; members bring it in together.
  "levels": [0, 2000, 6000, 15000, 40000, 100000],
  "chest": { "every": "week", "item": "chest-guild" },
  "chat": { "historyDays": 14, "filter": "strict" },
}
`;

const arena = `{
  /* Not agreed yet: seasons of four weeks or of six? */
  "seasonWeeks": 4,
  "divisions": ["driftwood", "coral", "moonstone"],
  "entry": { "tickets": 1 },
  "rewards": { "driftwood": { "coins": 500 }, "coral": { "pearls": 20 }, "moonstone": { "pearls": 60 } },
}
`;

const line = (text: string): DemoContent['lines'] => [{ appVersion: '0.0.0', text }];

export const seasonalContents: readonly DemoContent[] = [
  {
    id: 'winter-sale',
    description: 'Thirty percent off the larger packs.',
    tags: ['monetisation', 'seasonal'],
    lines: line(winterSale),
    mapping: null,
    saves: [
      { at: '22d 16:30', by: 'mei', note: 'A week of sale.' },
      {
        at: '20d 09:20',
        by: 'mei',
        note: 'Thirty instead of twenty.',
        changes: [['"percentOff": 20', '"percentOff": 30']],
      },
    ],
    deleted: { at: '13d 10:05', by: 'tomas' },
  },
  {
    id: 'guilds',
    description: 'Guilds: ranks, levels and chests. Out with 2.2.',
    tags: ['core', 'multiplayer'],
    lines: line(guilds),
    mapping: null,
    saves: [
      { at: '1d 11:25', by: 'tomas', note: 'First numbers for the playtest.' },
      {
        at: '250min',
        by: 'tomas',
        note: 'Chat keeps two weeks.',
        changes: [['"historyDays": 7', '"historyDays": 14']],
      },
    ],
  },
  {
    id: 'arena',
    description: 'Seasons and rewards of the arena.',
    tags: ['multiplayer'],
    lines: line(arena),
    mapping: null,
    saves: [],
    draft: { at: '140min', by: 'mei', note: 'To talk about.' },
  },
];
