/** Texts that the micro benchmarks go through, by name: the same in every process. */
import { gameContent, type JsonObject, withComments } from '../data/game-content.js';

const kilobytes: Readonly<Record<string, number>> = {
  '10kb': 10,
  '100kb': 100,
  '1mb': 1024,
};

/** About that much minified JSON; the name ends with the size: `minified-1mb`. */
export function documentNamed(name: string): JsonObject {
  const size = kilobytes[name.slice(name.lastIndexOf('-') + 1)];
  if (size === undefined) throw new Error(`${name} names no size.`);
  return gameContent(size, size * 1024);
}

/** `commented-…`: pretty-printed with comments, and of the named size as such. `minified-…`: one line. */
export function textNamed(name: string): Buffer {
  if (!name.startsWith('commented-')) return Buffer.from(JSON.stringify(documentNamed(name)));
  return Buffer.from(withComments(documentNamed(name), 1));
}

export function minifiedNamed(name: string): Buffer {
  return Buffer.from(JSON.stringify(documentNamed(name)));
}
