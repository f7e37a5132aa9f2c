/** Writes JSON around values that are JSON text already, so that their numbers and keys stay as they are. */

import type { FastifyReply } from 'fastify';
import { jsonType } from '../../../contract/media-types.js';

type RawFields = Readonly<Record<string, Uint8Array | string>>;

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

/** An object with some plain fields (at least one), and a list of values that are given as JSON text. */
export function rawList(
  plain: Readonly<Record<string, unknown>>,
  name: string,
  items: readonly Uint8Array[],
): Buffer {
  const pieces: Uint8Array[] = [];
  for (const [index, item] of items.entries()) {
    pieces.push(Buffer.from(index === 0 ? '[' : ','), item);
  }
  pieces.push(Buffer.from(items.length === 0 ? '[]' : ']'));
  return rawObject(plain, { [name]: Buffer.concat(pieces) });
}

/** Sends JSON text as it is: no serializer looks at bytes. */
export function sendRaw(reply: FastifyReply, status: number, json: Uint8Array): FastifyReply {
  return reply.code(status).header('content-type', jsonType).send(json);
}
