/** Currencies, starting balances, energy and rewards of the demo game, with a test of the starting gift. */

import type { DemoContent } from './demo-content.js';

const text = `{
  // Owned by the economy team. Change one number at a time and write down why.
  "currencies": {
    "coins": { "name": "economy.coins", "icon": "ui/coin", "cap": 9999999, "premium": false },
    "pearls": { "name": "economy.pearls", "icon": "ui/pearl", "cap": 99999, "premium": true },
    "embers": { "name": "economy.embers", "icon": "ui/ember", "cap": 500, "premium": false },
  },
  "startingBalance": { "coins": 500, "pearls": 25, "embers": 20 },

  "energy": {
    "currency": "embers",
    "max": 30,
    "refillSeconds": 360,
    "refillPrice": { "pearls": 15 },
    /* Levels cost by difficulty. A loss gives half of it back:
       players who lose twice in a row leave otherwise. */
    "costs": { "calm": 4, "breezy": 5, "stormy": 7, "boss": 10 },
    "refundOnLoss": 0.50,
  },

  "dailyRewards": [
    { "day": 1, "coins": 100 },
    { "day": 2, "coins": 150 },
    { "day": 3, "pearls": 5 },
    { "day": 4, "coins": 250 },
    { "day": 5, "embers": 10 },
    { "day": 6, "coins": 400 },
    { "day": 7, "pearls": 20, "chest": "chest-driftwood" }, // the streak starts again
  ],

  "playerLevels": {
    "max": 60,
    // experience(level) = base * level ^ exponent, rounded up to tens
    "base": 120,
    "exponent": 1.35,
    "rewards": {
      "5": { "pearls": 10 },
      "10": { "pearls": 20, "hero": "wren" },
      "20": { "pearls": 40, "chest": "chest-coral" },
      "30": { "pearls": 60 },
      "40": { "pearls": 80, "chest": "chest-moonstone" },
      "50": { "pearls": 100 },
      "60": { "pearls": 250, "title": "keeper-of-lights" },
    },
  },

  "upgrades": {
    "lantern": [
      { "level": 2, "coins": 300 }, { "level": 3, "coins": 700 }, { "level": 4, "coins": 1500 },
      { "level": 5, "coins": 3200 }, { "level": 6, "coins": 7000 }, { "level": 7, "coins": 15000 },
    ],
    "sail": [
      { "level": 2, "coins": 250 }, { "level": 3, "coins": 600 }, { "level": 4, "coins": 1300 },
      { "level": 5, "coins": 2800 }, { "level": 6, "coins": 6000 },
    ],
    "compass": [
      { "level": 2, "coins": 1000, "pearls": 5 }, { "level": 3, "coins": 4000, "pearls": 15 },
    ],
  },

  "adRewards": { "perDay": 5, "cooldownSeconds": 600, "reward": { "coins": 75 } },
  "exchange": [
    { "from": "pearls", "to": "coins", "rate": 40 },
    { "from": "coins", "to": "embers", "rate": 0.02, "perDay": 3 },
  ],
}
`;

const mapping = `[
  // Does a larger gift at the start keep more players to day 7? The group is meta.mod itself.
  {
    "segment": "starting-gift",
    "when": { "daysSinceInstall": { "$lte": 7 } },
    "salt": null,
    "variants": [
      { "name": "control", "groups": [0, 499] },
      { "name": "generous", "groups": [500, 999], "merge": { "startingBalance": { "pearls": 60 } } },
    ],
  },
  // Come back: energy is free of waiting for a while.
  {
    "segment": "lapsed",
    "info": "welcome-back",
    "merge": { "energy": { "refillSeconds": 120 }, "adRewards": { "perDay": 10 } },
  },
]
`;

export const economyContent: DemoContent = {
  id: 'economy',
  description: 'Currencies, energy, daily rewards and upgrade prices.',
  tags: ['core', 'balance'],
  lines: [{ appVersion: '0.0.0', text }],
  mapping,
  saves: [
    { at: '25d 10:40', by: 'tomas', note: 'First balance.' },
    {
      at: '19d 16:05',
      by: 'tomas',
      note: 'Energy refills in six minutes instead of eight.',
      changes: [['"refillSeconds": 480', '"refillSeconds": 360']],
    },
    {
      at: '15d 13:20',
      by: 'mei',
      note: 'Test: does a larger gift keep more players to day 7?',
      mapping: true,
    },
    {
      at: '12d 17:52',
      by: 'tomas',
      note: 'A little more to begin with.',
      changes: [['{ "coins": 500, "pearls": 25', '{ "coins": 5000, "pearls": 25']],
      undone: { at: '12d 18:09', by: 'nora' },
    },
    {
      at: '6d 11:15',
      by: 'tomas',
      note: 'Day 7 gives 20 pearls, as players asked for in the survey.',
      changes: [['{ "day": 7, "pearls": 15', '{ "day": 7, "pearls": 20']],
    },
  ],
  draft: {
    at: '190min',
    by: 'mei',
    note: 'Boss levels cost less: to be discussed on Monday.',
    changes: [['"stormy": 7, "boss": 10', '"stormy": 7, "boss": 9']],
  },
};
