/** Sends a response that is made while it is read. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Holds no more than a piece in memory. A reader that goes away ends the reading; a slow one slows it down. A piece that
 * cannot be made breaks the response off.
 * @param type its media type
 */
export function sendStream(
  reply: FastifyReply,
  type: string,
  pieces: AsyncGenerator<string | Uint8Array>,
): FastifyReply {
  return reply.header('content-type', type).send(Readable.from(pieces, { objectMode: false }));
}
