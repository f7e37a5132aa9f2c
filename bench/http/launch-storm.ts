/** Question: what if every player comes on a connection of their own, with TLS and without? */
import type { Question } from '../bench.js';
import { raceQuestion } from './race/race.js';
import { plainDefaults } from './race/scenario.js';
import { smallContent } from './race/small-content.js';

export const launchStorm: readonly Question[] = [false, true].map((secure) =>
  raceQuestion(
    {
      ...plainDefaults,
      name: `http/launch-storm/${secure ? 'tls' : 'plain'}-1kb`,
      shape: { kind: 'storm', connections: 50 },
      secure,
      prepare: () => {
        const { content, request } = smallContent();
        return { contents: [content], requests: [request], variants: false };
      },
    },
    secure,
  ),
);
