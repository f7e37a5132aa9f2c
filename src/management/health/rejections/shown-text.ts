/** Makes a text from strangers fit to be shown: short, and nothing in it is invisible or changes what stands beside it. Pure. */

/** Control characters, bidirectional marks, line separators, and halves of a character. A backslash stands for itself. */
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/** @param charsMax of the text, before some become escapes such as `\u{202e}` */
export function shownText(text: string, charsMax: number): string {
  return text
    .slice(0, charsMax)
    .replace(unshowable, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
