/** Makes an id that games can ask for out of what people type: "Season 10 offers!" is Season-10-offers. */
import { contentIdLengthMax } from '../../../content/content-id.js';

const marks = /\p{Mark}/gu;
const notAllowed = /[^A-Za-z0-9._-]+/g;
const dashesAround = /^-+|-+$/g;
const jsonExtension = /\.jsonc?$/i;

/** '' where nothing of it can stand in an id. */
export function contentSlug(typed: string): string {
  // Accents go, letters stay: "é" is "e" and a mark.
  const plain = typed.normalize('NFKD').replace(marks, '');
  const slug = plain.replace(notAllowed, '-').slice(0, contentIdLengthMax);
  // A dash that somebody typed at an end stays there.
  return slug === plain ? slug : slug.replace(dashesAround, '');
}

export function contentSlugOfFile(name: string): string {
  return contentSlug(name.replace(jsonExtension, ''));
}
