import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../native/fuzz/run.sh', import.meta.url));
/** Per target; building both with the sanitizers takes longer than that. `npm run soak` gives them minutes. */
const seconds = 5;

it('survives a short fuzz under AddressSanitizer', { timeout: 600_000 }, async () => {
  // A finding, and anything that does not build, ends the script with a status of its own: execFile rejects.
  const { stdout } = await promisify(execFile)('sh', [script, String(seconds)]);
  expect(stdout).toContain(`== strip, ${seconds} s`);
  expect(stdout).toContain(`== splice, ${seconds} s`);
});
