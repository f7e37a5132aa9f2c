/** All levels of the demo game: the large content (about 200 KB), of which a mapping changes a few bytes. */

import type { DemoContent } from './demo-content.js';
import { SeededRandom } from './seeded-random.js';

/** Islands in the order they are sailed to; the localisation lists their names. */
export const islandNames = [
  'home-cove',
  'gull-rocks',
  'fern-atoll',
  'old-lighthouse',
  'coral-steps',
  'whisper-caves',
  'salt-mill',
  'thunder-head',
  'glass-lagoon',
  'observatory',
] as const;

export const levelsPerIsland = 36;

const seed = 0x1e7e1;
const goals = [
  'light-lanterns',
  'collect-cargo',
  'free-birds',
  'clear-fog',
  'reach-harbour',
] as const;
const pieces = ['lantern', 'shell', 'feather', 'anchor', 'star', 'leaf'] as const;
const blockers = ['fog', 'net', 'barrel', 'ice', 'seaweed'] as const;

function makeText(): string {
  const random = new SeededRandom(seed);
  const islands = islandNames.map((island, index) => {
    const levels = Array.from({ length: levelsPerIsland }, (_, at) =>
      makeLevel(random, index * levelsPerIsland + at + 1, at === levelsPerIsland - 1),
    );
    return `    // Island ${index + 1}: ${island}
    {
      "id": "${island}",
      "starsToOpen": ${index * 60},
      "levels": [
${levels.join(',\n')},
      ],
    }`;
  });
  return `{
  /* Made by the level editor, then tuned by hand.
     "moves" is what the tests change; everything else belongs to the designers. */
  "version": 47,
  "islands": [
${islands.join(',\n')},
  ],
}
`;
}

function makeLevel(random: SeededRandom, number: number, boss: boolean): string {
  const difficulty = boss ? 'boss' : random.pick(['calm', 'calm', 'breezy', 'stormy']);
  const width = random.between(6, 9);
  const height = random.between(7, 10);
  const target = random.between(8, 30);
  const board = Array.from({ length: height }, () => makeRow(random, width));
  const note = boss ? ' // boss: three phases' : '';
  return `        {${note}
          "n": ${number}, "difficulty": "${difficulty}", "moves": ${random.between(16, 34)}, "seed": ${random.between(1, 2_000_000_000)},
          "goal": { "kind": "${random.pick(goals)}", "count": ${target}, "piece": "${random.pick(pieces)}" },
          "blockers": { "${random.pick(blockers)}": ${random.between(0, 12)} },
          "stars": [${target * 100}, ${target * 180}, ${target * 260}],
          "rewards": { "coins": ${40 + number}, "firstWin": { "${boss ? 'pearls' : 'embers'}": ${boss ? 10 : 2} } },
          "board": [
            ${board.join(',\n            ')}
          ]
        }`;
}

// One letter a cell: a piece's place, a hole, or a blocker's.
function makeRow(random: SeededRandom, width: number): string {
  let row = '';
  for (let at = 0; at < width; at += 1) row += random.pick(['.', '.', '.', '.', '#', 'o', 'x']);
  return `"${row}"`;
}

const mapping = `[
  // Level 12 lost 9 % of all players for good. Are three more moves enough, or is it the board?
  {
    "segment": "level-12-moves",
    "when": { "level": { "$lte": 12 } },
    "salt": "level-12-moves-1",
    "variants": [
      { "name": "control", "groups": [0, 332] },
      { "name": "three-more", "groups": [333, 665], "patch": [{ "op": "replace", "path": "/islands/0/levels/11/moves", "value": 31 }] },
      { "name": "no-blockers", "groups": [666, 999], "patch": [{ "op": "replace", "path": "/islands/0/levels/11/blockers", "value": {} }] },
    ],
  },
]
`;

export const levelsContent: DemoContent = {
  id: 'levels',
  description: 'Boards, goals and rewards of all levels.',
  tags: ['balance', 'large'],
  lines: [{ appVersion: '0.0.0', text: makeText() }],
  mapping,
  saves: [
    {
      at: '23d 18:20',
      by: 'pipeline',
      note: 'Export of build 45.',
    },
    {
      at: '13d 18:21',
      by: 'pipeline',
      note: 'Export of build 46.',
      changes: [['"version": 45', '"version": 46']],
    },
    {
      at: '10d 09:15',
      by: 'mei',
      note: 'Level 12: three more moves, or the board?',
      mapping: true,
    },
    {
      at: '2d 18:20',
      by: 'pipeline',
      note: 'Export of build 47.',
      changes: [['"version": 46', '"version": 47']],
    },
  ],
};
