/** Names of content items in a sentence. */

/** Names in a question or a result; a listing has them all. */
const namesShownMax = 5;

/** `shop, offers and 3 more`. */
export function formatNames(names: readonly string[]): string {
  if (names.length === 0) return 'no live content';
  const shown = names.slice(0, namesShownMax).join(', ');
  const more = names.length - namesShownMax;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
