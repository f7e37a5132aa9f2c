/** Sends NDJSON as it is made: nothing of it is held in memory here. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ndjsonType } from './ndjson-body.js';

/** A reader that goes away ends the reading; one that is slow slows it down. */
export function sendNdjson(
  reply: FastifyReply,
  lines: AsyncGenerator<string | Uint8Array>,
): FastifyReply {
  return reply.header('content-type', ndjsonType).send(Readable.from(lines, { objectMode: false }));
}
