/*
 * Goal: docs/experiments.md shows what happens, from a rule with variants to the release of the winner. Method: as for the
 * README (shows-what-happens.ts).
 */
import { describe, expect, it } from 'vitest';
import { readExamples } from './example-session.js';
import { showsWhatHappens } from './shows-what-happens.js';

const examples = readExamples('docs/experiments.md');

describe('docs/experiments.md', () => {
  it('goes from an idea to a decision', () => {
    expect(examples.map(({ name }) => name)).toEqual([
      ...['environment', 'metrics', 'events', 'create', 'start', 'decide'],
    ]);
  });

  showsWhatHappens(examples);
});
