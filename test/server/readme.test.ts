/*
 * Goal: what the README shows is what happens. Method: its examples are run in order in one shell session against
 * a real server (example-session.ts).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder, startServer } from '../support/server.js';
import type { LoadoutServer } from '../support/server-process.js';
import { outputOf, type Printed, readExamples, runExamples, timeless } from './example-session.js';

const sessionMillisMax = 180_000;
const examples = readExamples('README.md');

let server: LoadoutServer;
let printed: Printed;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  printed = await runExamples(examples, server, makeDataFolder());
}, sessionMillisMax);

afterAll(() => server.stop());

describe('the README', () => {
  it('has the examples that the issue asks for', () => {
    expect(examples.map((example) => example.name)).toEqual(
      expect.arrayContaining(['authoring', 'content', 'dynamic', 'combine', 'catalog', 'refusal']),
    );
  });

  it('has a tutorial from an environment to production, each step with what it prints', () => {
    const tutorial = examples.filter(({ name }) => name.startsWith('tutorial_'));
    expect(tutorial.map(({ name }) => name.slice('tutorial_'.length))).toEqual([
      'environments',
      'put',
      'ask',
      'segment',
      'preview',
      'publish',
      'evaluate',
      'rollback',
      'sync',
    ]);
    expect(tutorial.filter(({ output }) => output === null)).toEqual([]);
  });

  it.each(examples)('shows what really happens: $name', ({ name, output }) => {
    const real = outputOf(printed, name);
    if (output !== null) expect(real).toBe(timeless(output).trim());
  });
});
