/** Question: what does the start-up of a client cost that holds 30 contents, when none has changed, and when all have? */
import type { Question } from '../bench.js';
import { gameContent } from '../data/game-content.js';
import { player, threeRules } from '../data/mappings.js';
import { plainRefresh, plainTag } from '../data/plain-refresh.js';
import { type PlainContent, plainResponse } from '../data/plain-response.js';
import { benchContent } from '../data/published-game.js';
import { raceQuestion } from './race/race.js';
import { type ExpectedRequest, plainDefaults, type Scenario } from './race/scenario.js';

/** The environment is the first publish, its contents the second. */
const sequence = 2;

const requests = {
  unchanged: (contents) => {
    const have = contents.map((content) => [content.id, plainTag(content, player)]);
    return refreshOf(Object.fromEntries(have), plainRefresh([], player, sequence));
  },
  changed: (contents) => {
    const have = contents.map(({ id }) => [id, '0123456789abcdef']);
    return refreshOf(Object.fromEntries(have), plainRefresh(contents, player, sequence));
  },
  combine: (contents) => {
    const entries = contents.map(
      (content) => `${JSON.stringify(content.id)}:${plainResponse(content, player, 'wrapped')}`,
    );
    const body = JSON.stringify({ ...player, c: contents.map(({ id }) => id) });
    const path = '/api/v1/combine?dynamic=true';
    return { path, body, expected: `{${entries.join(',')}}` };
  },
} as const satisfies Record<string, (contents: readonly PlainContent[]) => ExpectedRequest>;

export const refresh: readonly Question[] = (['unchanged', 'changed', 'combine'] as const).map(
  (kind) => raceQuestion(refreshScenario(`http/refresh/${kind}-30x2kb`, kind)),
);

export function refreshScenario(name: string, kind: keyof typeof requests): Scenario {
  return {
    ...plainDefaults,
    name,
    prepare: () => {
      const contents = Array.from({ length: 30 }, (_, number) =>
        benchContent(`game-${number}`, gameContent(number, 2048), threeRules),
      );
      return { contents, requests: [requests[kind](contents)], variants: false };
    },
  };
}

function refreshOf(have: Readonly<Record<string, string>>, expected: string): ExpectedRequest {
  return { path: '/api/v1/refresh', body: JSON.stringify({ ...player, have }), expected };
}
