/** The demo game's first session, with a test between two orders of its steps. */

import type { DemoContent } from './demo-content.js';

const text = `{
  "steps": [
    { "id": "intro-film", "skippableAfterSeconds": 3 },
    { "id": "first-lantern", "level": 1, "hints": true },
    { "id": "name-your-boat", "optional": true },
    { "id": "second-island", "level": 2, "hints": true },
    { "id": "choose-hero", "heroes": ["isla", "bram", "juno"] },
    { "id": "open-harbour", "level": 3, "hints": false },
  ],
  // Asked once, after a win, never in the first session.
  "ratingPrompt": { "afterWins": 5, "afterSessions": 3, "cooldownDays": 90 },
  "pushPrompt": { "step": "open-harbour", "text": "onboarding.push.reason" },
  "accountPrompt": { "afterLevel": 6, "reward": { "pearls": 10 } },
  /* The captain speaks in the first three levels only. */
  "captain": { "voice": true, "levels": [1, 2, 3], "linesPerLevel": 4 },
}
`;

const mapping = `[
  {
    "segment": "hero-first",
    "when": { "sessions": { "$lte": 1 }, "@v": { "$vgte": "1.8.0" } },
    "salt": "hero-first-1",
    "variants": [
      { "name": "control", "groups": [0, 799] },
      // Choose a hero before the first level: the step moves to the front, nothing else changes.
      { "name": "hero-first", "groups": [800, 999], "patch": [{ "op": "move", "from": "/steps/4", "path": "/steps/1" }] },
    ],
  },
]
`;

export const onboardingContent: DemoContent = {
  id: 'onboarding',
  description: 'Steps and prompts of the first sessions.',
  tags: ['core'],
  lines: [{ appVersion: '0.0.0', text }],
  mapping,
  saves: [
    { at: '22d 10:10', by: 'mei', note: 'Six steps, three prompts.' },
    {
      at: '13d 11:30',
      by: 'mei',
      note: 'Test: choose a hero before the first level.',
      mapping: true,
    },
    {
      at: '3d 15:05',
      by: 'tomas',
      note: 'Ask for a rating later.',
      changes: [['"afterWins": 3,', '"afterWins": 5,']],
    },
  ],
};
