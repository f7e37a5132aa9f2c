import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../native/fuzz/run.sh', import.meta.url));
/** Building it with the sanitizers takes longer than that. `native/fuzz/run.sh 600` runs it for ten minutes. */
const seconds = 5;

it('survives a short fuzz under AddressSanitizer', { timeout: 600_000 }, async () => {
  // A finding, and anything that does not build, ends the script with a status of its own: execFile rejects.
  const { stdout } = await promisify(execFile)('sh', [script, String(seconds)]);
  expect(stdout).toContain(`== strip, ${seconds} s`);
});
