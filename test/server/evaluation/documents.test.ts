/*
 * Goal: what the documents in docs/ show is what happens. Method: the examples of each are run in order in one shell session
 * against a real server of its own (example-session.ts).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import {
  outputOf,
  type Printed,
  readExamples,
  runExamples,
  timeless,
} from '../documents/example-session.js';

const sessionMillisMax = 180_000;
const documents = [
  'docs/delivery-api.md',
  'docs/targeting.md',
  'docs/clients.md',
  'docs/own-client.md',
  'docs/ofrep.md',
  'docs/webhooks.md',
];

describe.each(documents)('%s', (path) => {
  const examples = readExamples(path);
  let server: LoadoutServer;
  let printed: Printed;

  beforeAll(async () => {
    server = await startServer({ listeners: 1 });
    printed = await runExamples(examples, server, makeDataFolder());
  }, sessionMillisMax);

  afterAll(() => server.stop());

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  it.each(examples)('shows what really happens: $name', ({ name, output }) => {
    const real = outputOf(printed, name);
    if (output !== null) expect(real).toBe(timeless(output).trim());
  });
});
