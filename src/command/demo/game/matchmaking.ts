/** Matchmaking of the demo game, in two lines: clients before 2.0 know only the old form. */

import type { DemoContent } from './demo-content.js';

const textBefore2 = `{
  // For clients before 2.0.0: one ladder, one region list. Do not add fields here.
  "regions": ["us", "eu", "asia"],
  "ratingStart": 1000,
  "ratingWindow": 150,
  "timeoutSeconds": 45,
}
`;

const textFrom2 = `{
  "regions": {
    "us-east": { "url": "wss://use.match.lumen-isles.example", "weight": 3 },
    "us-west": { "url": "wss://usw.match.lumen-isles.example", "weight": 2 },
    "eu-central": { "url": "wss://euc.match.lumen-isles.example", "weight": 4 },
    "ap-south": { "url": "wss://aps.match.lumen-isles.example", "weight": 1 },
  },
  "preferredRegion": "us-east",
  "rating": {
    "start": 1000,
    "floor": 0,
    // The window opens the longer a player waits.
    "windows": [
      { "afterSeconds": 0, "spread": 75 },
      { "afterSeconds": 10, "spread": 150 },
      { "afterSeconds": 25, "spread": 300 },
      { "afterSeconds": 40, "spread": null }, // anybody
    ],
    "kFactor": { "placement": 64, "normal": 32, "master": 16 },
  },
  "queues": {
    "duel": { "players": 2, "mapPool": ["reef", "wreck", "lighthouse"] },
    "crew": { "players": 6, "mapPool": ["archipelago", "maelstrom"], "minLevel": 8 },
  },
  "botsAfterSeconds": 50,
  "timeoutSeconds": 60,
  "leaverPenalty": { "freeLeaves": 2, "minutes": [2, 5, 15, 60] },
}
`;

const mapping = `[
  // The old line has no preferred region; a merge adds it there and older clients ignore it.
  { "segment": "eu-players", "merge": { "preferredRegion": "eu-central" } },
  // Players on their first days meet bots sooner: they should win once before they wait.
  { "segment": "new-players", "merge": { "botsAfterSeconds": 12 } },
]
`;

export const matchmakingContent: DemoContent = {
  id: 'matchmaking',
  description: 'Regions, rating windows and queues.',
  tags: ['core', 'multiplayer'],
  lines: [
    { appVersion: '0.0.0', text: textBefore2 },
    { appVersion: '2.0.0', text: textFrom2 },
  ],
  mapping,
  saves: [
    { at: '24d 15:55', by: 'tomas', note: 'Regions of their own for clients from 2.0 on.' },
    {
      at: '9d 11:48',
      by: 'tomas',
      note: 'Players in the EU meet each other; bots for the first days.',
      mapping: true,
    },
  ],
};
