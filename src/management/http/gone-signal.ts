/** Whether the client of a request still waits for the response. */
import type { FastifyReply } from 'fastify';

/** Aborts when the connection has closed: then its client waits no longer. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
