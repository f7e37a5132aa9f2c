/** Reads an Accept-Encoding header (RFC 9110 12.5.3): which codings a response may have (D19). */
import { Coding } from '../render/render-task.js';

/** What a caller accepts, as bits. */
export const Accepts = { Gzip: 1, BrotliRather: 2 } as const;

/** Nearly every caller sends one of a few texts; each is parsed once. */
const known = new Map<string, number>();
const knownMax = 1_000;
const headerCharactersMax = 256;

/** The `Accepts` bits of a header's text; 0 for none. */
export function acceptedCodings(acceptEncoding: string): number {
  if (acceptEncoding === '') return 0;
  const remembered = known.get(acceptEncoding);
  if (remembered !== undefined) return remembered;
  const accepts = parse(acceptEncoding);
  if (known.size >= knownMax) known.clear();
  if (acceptEncoding.length <= headerCharactersMax) known.set(acceptEncoding, accepts);
  return accepts;
}

/** The coding of bytes that can have any. */
export function anyCoding(accepts: number): Coding {
  if ((accepts & Accepts.BrotliRather) !== 0) return Coding.Brotli;
  return gzipOrNone(accepts);
}

/** The coding of bytes that a caller's part is written behind. */
export function gzipOrNone(accepts: number): Coding {
  return (accepts & Accepts.Gzip) !== 0 ? Coding.Gzip : Coding.Identity;
}

function parse(acceptEncoding: string): number {
  const qualities = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    const value = Number.parseFloat(quality);
    qualities.set(coding === 'x-gzip' ? 'gzip' : coding, Number.isFinite(value) ? value : 0);
  }
  const gzip = qualities.get('gzip') ?? qualities.get('*') ?? 0;
  // docs/delivery-api.md promises gzip to clients that accept it, so brotli is for those that put it first. A wildcard does not.
  const brotli = qualities.get('br') ?? 0;
  return (gzip > 0 ? Accepts.Gzip : 0) | (brotli > gzip ? Accepts.BrotliRather : 0);
}
