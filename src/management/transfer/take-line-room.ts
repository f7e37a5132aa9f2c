/** Room in the budget of bodies for a large line of an import, which is read from its stream meanwhile. */
import type { IncomingMessage } from 'node:http';
import { type BodyReader, declaredBytes, takeShare } from '../http/body/read-body.js';
import type { LineRoom } from './line-batches.js';

/**
 * For a line of at most `bytesMax`, or what the file has if that is less. A sender that is too slow with it, while others
 * wait, loses its connection: the import is read by then, and ends as if the sender had gone.
 * @throws BodyRefused
 */
export async function takeLineRoom(
  { budgets, deadlines }: BodyReader,
  stream: IncomingMessage,
  bytesMax: number,
): Promise<LineRoom> {
  const bytes = Math.min(bytesMax, declaredBytes(stream) ?? bytesMax);
  const share = await takeShare(budgets, stream, bytes);
  const { graceMsMax, bytesPerSecondMin } = deadlines;
  const timer = setTimeout(
    () => share.setOverdue(() => stream.destroy()),
    graceMsMax + (bytes / bytesPerSecondMin) * 1_000,
  );
  const release = (): void => {
    clearTimeout(timer);
    share.release();
  };
  return { release };
}
