/** The buffer of a result: which bytes are left free around it, and where its memory comes from. */

/** Bytes to leave free around a result, in the same buffer, for the caller to fill. */
export interface Room {
  readonly before: number;
  readonly after: number;
  /** Makes the buffer, of exactly that many bytes, which need not be zeros. Without it, one of its own. */
  readonly allocate?: ((length: number) => Uint8Array) | undefined;
}

export const noRoom: Room = { before: 0, after: 0 };

/** Not filled with zeros: all of it is written before it is read. Its own memory, so that it can be moved to another thread. */
export function allocateBytes(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
