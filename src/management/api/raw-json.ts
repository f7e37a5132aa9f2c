/** Writes JSON around values that are JSON text already, so that their numbers and keys stay as they are. */
import type { FastifyReply } from 'fastify';

export type RawFields = Readonly<Record<string, Uint8Array | string>>;

/** An object with some plain fields (at least one), and some that are given as JSON text. */
export function rawObject(plain: Readonly<Record<string, unknown>>, raw: RawFields): Buffer {
  const pieces: Uint8Array[] = [Buffer.from(JSON.stringify(plain).slice(0, -1))];
  for (const [name, value] of Object.entries(raw)) {
    pieces.push(Buffer.from(`,${JSON.stringify(name)}:`));
    pieces.push(typeof value === 'string' ? Buffer.from(value) : value);
  }
  pieces.push(Buffer.from('}'));
  return Buffer.concat(pieces);
}

/** `{"name":[…]}`. */
export function rawList(name: string, items: readonly Uint8Array[]): Buffer {
  const pieces: Uint8Array[] = [Buffer.from(`{${JSON.stringify(name)}:[`)];
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(Buffer.from(','));
    pieces.push(item);
  }
  pieces.push(Buffer.from(']}'));
  return Buffer.concat(pieces);
}

/** Sends JSON text as it is: no serializer looks at bytes. */
export function sendRaw(reply: FastifyReply, status: number, json: Uint8Array): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(json);
}
