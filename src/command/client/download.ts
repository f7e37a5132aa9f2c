/** Keeps a response that is too large for memory in a file. */
import { open } from 'node:fs/promises';
import { CommandFailure } from '../terminal/failure.js';
import { formatBytes, Progress } from '../terminal/progress.js';

/**
 * Writes the body to a new file, which only its user can read.
 * @param what the file is, such as `backup`
 * @throws CommandFailure when the response breaks off
 */
export async function download(response: Response, to: string, what: string): Promise<void> {
  const bytesTotal = Number(response.headers.get('content-length') ?? 0);
  const progress = new Progress(`Receiving the ${what}`);
  const file = await open(to, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      await file.write(chunk);
      bytes += chunk.length;
      progress.show(bytes / bytesTotal);
    }
    await file.sync();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(`The ${what} broke off after ${formatBytes(bytes)}: ${reason}.`);
  } finally {
    progress.end();
    await file.close();
  }
}
