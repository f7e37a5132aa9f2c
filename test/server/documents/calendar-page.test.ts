/*
 * Goal: docs/calendar.md shows what happens, for people who plan events. Method: as for the README (shows-what-happens.ts).
 */
import { describe, expect, it } from 'vitest';
import { readExamples } from './example-session.js';
import { showsWhatHappens } from './shows-what-happens.js';

const examples = readExamples('docs/calendar.md');

describe('docs/calendar.md', () => {
  it('plans an event and a release that meet', () => {
    expect(examples.map(({ name }) => name)).toEqual(['plan', 'show']);
  });

  showsWhatHappens(examples);
});
