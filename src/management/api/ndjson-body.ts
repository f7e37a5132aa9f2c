/** Takes NDJSON bodies, whose routes read them from the stream; and reads one whole, within a limit. */
import type { Readable } from 'node:stream';
import { Refusal } from '../authoring/refusal.js';
import type { AdminApp } from './context.js';

export const ndjsonType = 'application/x-ndjson';

/** The body of such a request is its stream. */
export function registerNdjsonBody(app: AdminApp): void {
  app.addContentTypeParser(ndjsonType, (_request, payload, done) => done(null, payload));
}

/** All bytes of the body; what is larger is refused as soon as that is known. */
export async function readWhole(body: Readable, bytesMax: number): Promise<Buffer | Refusal> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Not destroyed when it is too large: that would take the socket with it, and the refusal.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).byteLength;
      if (length > bytesMax) break;
      chunks.push(chunk as Buffer);
    }
  } catch {
    // Whoever sent it is gone.
    return new Refusal('invalid_request', 'The body ended before it was complete.');
  }
  if (length <= bytesMax) return Buffer.concat(chunks, length);
  // Read on and thrown away: a sender who is not read from never gets to the refusal.
  body.resume();
  return new Refusal('body_too_large', `This route takes at most ${bytesMax} bytes.`);
}
