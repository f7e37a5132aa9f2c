/*
 * Goal: what the README and the tutorial show is what happens. Method: the examples of each are run in order in one shell
 * session against a real server of its own (example-session.ts).
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readExamples } from './example-session.js';
import { showsWhatHappens } from './shows-what-happens.js';

const readme = readExamples('README.md');
const tutorial = readExamples('docs/tutorial.md');

describe('README.md', () => {
  it('is a page: from two commands to one request', () => {
    const lines = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').split('\n');
    expect(lines.length).toBeLessThanOrEqual(150);
    expect(readme.map(({ name }) => name)).toEqual(['authoring', 'dynamic']);
  });

  showsWhatHappens(readme);
});

describe('docs/tutorial.md', () => {
  it('has the examples that the issue asks for', () => {
    expect(tutorial.map((example) => example.name)).toEqual(
      expect.arrayContaining([
        ...['authoring', 'content', 'dynamic', 'combine', 'catalog', 'refusal'],
        ...['mapping', 'export_folder'],
      ]),
    );
  });

  it('goes from an environment to production, each step with what it prints', () => {
    const steps = tutorial.filter(({ name }) => name.startsWith('tutorial_'));
    expect(steps.map(({ name }) => name.slice('tutorial_'.length))).toEqual([
      'environments',
      'put',
      'ask',
      'segment',
      'preview',
      'publish',
      'evaluate',
      'rollback',
      'sync',
      'experiment',
      'events',
      'decide',
    ]);
    expect(steps.filter(({ output }) => output === null)).toEqual([]);
  });

  showsWhatHappens(tutorial);
});
