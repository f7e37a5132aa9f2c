/*
 * Goal: docs/releases.md shows what happens, for live-ops people from the first draft to a revert, and for operators up to the
 * alert that stops a ramp. Method: as for the README (shows-what-happens.ts).
 */
import { describe, expect, it } from 'vitest';
import { readExamples } from './example-session.js';
import { showsWhatHappens } from './shows-what-happens.js';

const examples = readExamples('docs/releases.md');

describe('docs/releases.md', () => {
  it('goes through the life of a release', () => {
    const names = examples.map(({ name }) => name).filter((name) => !name.startsWith('file_'));
    expect(names).toEqual([
      ...['environment', 'create', 'diff', 'from_file', 'start', 'locked', 'stop', 'schedule'],
      ...['brake_query', 'service', 'alert', 'policy', 'review'],
    ]);
  });

  // Nothing listens there: a query without a response trips nothing.
  showsWhatHappens(examples, ['--prometheus-url', 'http://127.0.0.1:9']);
});
