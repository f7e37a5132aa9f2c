/** Question: what if every player comes on a connection of their own, with TLS and without? */
import type { Question } from '../bench.js';
import { raceQuestion } from './race/race.js';
import { smallScenario } from './race/small-content.js';

export const launchStorm: readonly Question[] = [false, true].map((secure) =>
  raceQuestion({
    ...smallScenario(`http/launch-storm/${secure ? 'tls' : 'plain'}-1kb`),
    shape: { kind: 'storm', connections: 50 },
    secure,
  }),
);
