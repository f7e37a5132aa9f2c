/** Question: what does it cost per request to count the users of three experiments, and of none? */
import type { Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { type BenchRule, type PlainContext, player } from '../data/mappings.js';
import { type PlainContent, plainResponse } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { interleavedQuestion } from './race/interleaved.js';

const segments = ['coins', 'events', 'banner'];

/** Three tests that draw every player, with a change of their own each. */
const threeTests: readonly BenchRule[] = segments.map((segment, at) => ({
  segment,
  when: {},
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'treatment', groups: [500, 999], merge: { economy: { [`test${at}`]: at } } },
  ],
}));

const [counted, beside] = ['counted', 'beside'].map((id, at) =>
  benchContent(id, gameContent(at, 1024), threeTests),
) as [PlainContent, PlainContent];

/** As many players as a process sees in a second: what is known of each is not in the processor's first caches. */
const players: readonly PlainContext[] = Array.from({ length: 4_096 }, (_, at) => ({
  ...player,
  u: `player-${at.toString(16).padStart(10, '0')}`,
}));

const experiments = segments.map((segment) => ({
  ...{ id: segment, phase: 1, content: 'counted', segment, salt: null },
  variants: ['control', 'treatment'],
}));

export const countedExperiments: readonly Question[] = [
  interleavedQuestion({
    name: 'http/experiments/wrapped-1kb',
    contents: [counted, beside],
    loads: [counted, beside].map((content) => ({
      id: content.id,
      requests: players.map((context) => ({
        path: `/api/v1/config/${content.id}/dynamic`,
        body: JSON.stringify(context),
        expected: plainResponse(content, context, 'wrapped'),
      })),
    })),
    put: (game, isRunning) => game.run(isRunning ? experiments : []),
    without: 'none counted',
    with: 'three counted',
    note: `${players.length} players in turn; \`beside\` has the same rules, and no experiment`,
  }),
];
