/** `loadout serve --check`: what a start would find, line by line. */
import type { ServeOptions } from '../../management/serve/options.js';
import { printLine } from '../terminal/output.js';

/** @returns the exit code: 1 when a start would fail */
export async function printChecks(options: ServeOptions): Promise<number> {
  const { checkServer } = await import('../../management/serve/check-server.js');
  let failed = 0;
  for await (const { name, isPassed, text } of checkServer(options)) {
    if (!isPassed) failed += 1;
    printLine(`${isPassed ? 'ok    ' : 'failed'}  ${name.padEnd(16)}${text}`);
  }
  printLine(failed === 0 ? 'The server can start.' : 'The server cannot start.');
  return failed === 0 ? 0 : 1;
}
