/** Takes NDJSON bodies, whose routes read them from the stream. */
import type { AdminApp } from './context.js';

export const ndjsonType = 'application/x-ndjson';

/** The body of such a request is its stream. */
export function registerNdjsonBody(app: AdminApp): void {
  app.addContentTypeParser(ndjsonType, (_request, payload, done) => done(null, payload));
}
