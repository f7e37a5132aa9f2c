/** The promise of a document with examples: each prints what the document says. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { type Example, outputOf, type Printed, runExamples, timeless } from './example-session.js';

const sessionMillisMax = 180_000;

/**
 * Runs the examples in one session, and makes a test of each.
 * @param flags of the server, as the document starts it
 */
export function showsWhatHappens(
  examples: readonly Example[],
  flags: readonly string[] = [],
): void {
  let server: LoadoutServer;
  let printed: Printed;

  beforeAll(async () => {
    server = await startServer({ listeners: 1, flags });
    printed = await runExamples(examples, server, makeDataFolder());
  }, sessionMillisMax);

  afterAll(() => server.stop());

  it.each(examples)('shows what really happens: $name', ({ name, output }) => {
    const real = outputOf(printed, name);
    if (output !== null) expect(real).toBe(timeless(output).trim());
  });
}
