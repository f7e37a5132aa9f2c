/** The heroes of the demo game: names by hand, numbers from a seed. */

import type { DemoContent } from './demo-content.js';
import { SeededRandom } from './seeded-random.js';

/** Also the names that the localisation lists. */
export const heroNames = [
  'isla',
  'bram',
  'juno',
  'wren',
  'marlow',
  'odile',
  'tamsin',
  'corwin',
  'sable',
  'piran',
  'liesl',
  'fathom',
  'rook',
  'maren',
  'quill',
  'vesper',
] as const;

const seed = 0x4e401;
const levels = [1, 10, 20, 30, 40];

function makeText(): string {
  const random = new SeededRandom(seed);
  const heroes = heroNames.map((name, index) => {
    const rarity = index < 6 ? 'common' : index < 11 ? 'rare' : index < 14 ? 'epic' : 'legendary';
    const element = random.pick(['light', 'tide', 'gale', 'ember']);
    const health = random.between(80, 140);
    const power = random.between(10, 24);
    const growth = levels.map((level) => {
      const factor = 1 + level * 0.085;
      return `        { "level": ${level}, "health": ${Math.round(health * factor)}, "power": ${Math.round(power * factor)} }`;
    });
    return `    "${name}": {
      "rarity": "${rarity}", "element": "${element}", // drawn once, never change: players built teams on it
      "shardsToUnlock": ${rarity === 'common' ? 10 : rarity === 'rare' ? 30 : rarity === 'epic' ? 60 : 100},
      "skill": { "id": "${name}-${random.pick(['beacon', 'undertow', 'gust', 'flare', 'ward'])}", "cooldownTurns": ${random.between(3, 6)}, "strength": ${random.between(110, 240) / 100} },
      "growth": [
${growth.join(',\n')},
      ],
    }`;
  });
  return `{
  // Balance of patch 2.1. Strength is a factor on the hero's power.
  "heroes": {
${heroes.join(',\n')},
  },
  "teamSize": 3,
  "elementBonus": { "light": "ember", "ember": "gale", "gale": "tide", "tide": "light", "factor": 1.25 },
}
`;
}

export const heroesContent: DemoContent = {
  id: 'heroes',
  description: 'Rarity, skills and growth of all heroes.',
  tags: ['balance'],
  lines: [{ appVersion: '0.0.0', text: makeText() }],
  mapping: null,
  saves: [
    { at: '24d 11:02', by: 'tomas', note: 'All heroes of 2.0.' },
    {
      at: '16d 10:30',
      by: 'tomas',
      note: 'Patch 2.1: elements matter more.',
      changes: [
        ['// Balance of patch 2.0.', '// Balance of patch 2.1.'],
        ['"factor": 1.20', '"factor": 1.25'],
      ],
    },
  ],
};
