/** Names of content items in a sentence. */

/** Names in a question or a result; a listing has them all. */
const namesShownMax = 5;

/** `shop, offers and 3 more`. */
export function formatNames(names: readonly string[]): string {
  return names.length === 0 ? 'no live content' : formatFirst(names, namesShownMax);
}

/** The first texts, and how many more there are. */
export function formatFirst(texts: readonly string[], max: number): string {
  const shown = texts.slice(0, max).join(', ');
  const more = texts.length - max;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
