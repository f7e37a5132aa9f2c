/** Turns what people type into an id: "Season 10 offers!" becomes Season-10-offers. */
import { contentIdLengthMax } from '../../../content/content-id.js';

const marks = /\p{Mark}/gu;
const notAllowed = /[^A-Za-z0-9._-]+/g;
const dashesAround = /^-+|-+$/g;
const jsonExtension = /\.jsonc?$/i;

/** '' where no character of it is allowed in an id. */
export function contentSlug(typed: string): string {
  // Removes accents and keeps letters: "é" is "e" and a mark.
  const plain = typed.normalize('NFKD').replace(marks, '');
  const slug = plain.replace(notAllowed, '-').slice(0, contentIdLengthMax);
  // Dashes typed at the ends stay.
  return slug === plain ? slug : slug.replace(dashesAround, '');
}

export function contentSlugOfFile(name: string): string {
  return contentSlug(name.replace(jsonExtension, ''));
}
