/** Text of users on its way into a message of a chat: on one line, without characters that hide or turn others, and cut with a mark. */

const mark = '…';
/** Controls, line and paragraph separators: they would begin lines of their own. */
const breaks = /[\p{Cc}\u2028\u2029]+/gu;
/** Marks that turn the direction of text, and characters without width: they make a name look like another one. */
const invisible = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const loneSurrogates = /\p{Cs}/gu;

/**
 * @param charsMax UTF-16 units of the result, escapes and mark included
 * @param escape of one character, as the service reads it
 */
export function cutText(
  text: string,
  charsMax: number,
  escapeChar: (char: string) => string,
): string {
  const visible = text.replace(breaks, ' ').replace(invisible, '').trim();
  // Discord rejects a message of which a text is empty.
  const plain = visible === '' ? mark : visible.replace(loneSurrogates, '\ufffd');
  let whole = '';
  // What fits with the mark behind it: never half of an escape or of a pair of surrogates.
  let fits = '';
  for (const char of plain) {
    whole += escapeChar(char);
    if (whole.length > charsMax) return fits + mark;
    if (whole.length <= charsMax - mark.length) fits = whole;
  }
  return whole;
}
