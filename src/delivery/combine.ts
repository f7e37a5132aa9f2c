/** Puts a combined answer together from the same rendered pieces that single answers are made of. */
/** One entry of the answer, once its body is there: `"id":` and the pieces behind it. */
export interface CombinedEntry {
  readonly id: string;
  readonly pieces: readonly Uint8Array[];
}

/** The entry of an id that is not there: the official SDKs know a failed entry by its being a string. */
export function failedEntry(id: string): CombinedEntry {
  const detail = `Error 404, no published content of this environment has the id ${id} for this app version.`;
  return { id, pieces: [Buffer.from(JSON.stringify(detail))] };
}

/** @returns null when the answer would be larger than `bytesMax` */
export function combine(entries: readonly CombinedEntry[], bytesMax: number): Uint8Array | null {
  const keys = entries.map(({ id }, at) =>
    Buffer.from(`${at === 0 ? '' : ','}${JSON.stringify(id)}:`),
  );
  let size = 2;
  for (let at = 0; at < entries.length; at += 1) {
    size += (keys[at] as Buffer).byteLength;
    for (const piece of (entries[at] as CombinedEntry).pieces) size += piece.byteLength;
    if (size > bytesMax) return null;
  }
  const bytes = Buffer.allocUnsafe(size);
  let end = bytes.write('{', 0);
  for (let at = 0; at < entries.length; at += 1) {
    bytes.set(keys[at] as Buffer, end);
    end += (keys[at] as Buffer).byteLength;
    for (const piece of (entries[at] as CombinedEntry).pieces) {
      bytes.set(piece, end);
      end += piece.byteLength;
    }
  }
  bytes.write('}', end);
  return bytes;
}
