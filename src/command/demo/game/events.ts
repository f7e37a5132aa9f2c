/** The demo game's calendar. Windows hang on the day the demo starts, so that one is always open and one still closed. */

import type { DemoContent } from './demo-content.js';
import { dayMs, midnightOf } from './story-time.js';

const text = `{
  // What runs always. Limited events come through the mapping, each with a window.
  "active": [
    {
      "id": "tide-races",
      "kind": "weekly",
      "title": "events.tide-races.title",
      "starts": { "weekday": "friday", "hour": 16 },
      "lastsHours": 60,
      "leaderboard": { "size": 50, "promote": 10, "demote": 10 },
      "rewards": [
        { "rank": [1, 1], "pearls": 150, "chest": "chest-moonstone" },
        { "rank": [2, 3], "pearls": 100 },
        { "rank": [4, 10], "pearls": 50 },
        { "rank": [11, 25], "coins": 1500 },
      ],
    },
    {
      "id": "lost-cargo",
      "kind": "daily",
      "title": "events.lost-cargo.title",
      "quests": 3,
      "rewards": [{ "quests": 1, "coins": 100 }, { "quests": 3, "embers": 5 }],
    },
  ],
  "limited": null,
  "decorations": { "harbour": "default", "music": "harbour-day" },
  /* No push messages in these hours of the player's own clock. */
  "quietHours": { "from": 21, "to": 9 },
}
`;

function mapping(nowMs: number): string {
  const at = (days: number): string => {
    return new Date(midnightOf(nowMs) + days * dayMs).toISOString();
  };
  return `[
  // Open now.
  {
    "segment": "lantern-festival",
    "when": {},
    "from": "${at(-2)}",
    "until": "${at(12)}",
    "info": "season-9",
    "merge": {
      "limited": {
        "id": "lantern-festival",
        "title": "events.lantern-festival.title",
        "currency": "paper-lanterns",
        "goals": [10, 50, 150, 400, 1000],
      },
      "decorations": { "harbour": "lanterns", "music": "harbour-festival" },
    },
  },
  // Not yet: prepared, checked and delivered to nobody until its day comes.
  {
    "segment": "deep-sea-week",
    "when": { "level": { "$gte": 12 } },
    "from": "${at(12)}",
    "until": "${at(19)}",
    "merge": { "limited": { "id": "deep-sea-week", "title": "events.deep-sea-week.title", "goals": [5, 25, 75] } },
  },
]
`;
}

export function eventsContent(nowMs: number): DemoContent {
  return {
    id: 'events',
    description: 'The event calendar.',
    tags: ['live-ops'],
    lines: [{ appVersion: '0.0.0', text }],
    mapping: mapping(nowMs),
    saves: [
      { at: '23d 09:08', by: 'mei', note: 'Tide races and lost cargo.' },
      {
        at: '6d 14:42',
        by: 'mei',
        note: 'Lantern festival and deep-sea week, each in its window.',
        mapping: true,
      },
    ],
  };
}
