/** A text whose numbers stay on one line with their percent signs. */
export function unbroken(text: string): string {
  return text.replaceAll(' %', '\u00a0%');
}
