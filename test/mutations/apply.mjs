/** A mutation of the sample, made in the text of its module. */

/**
 * @param {string} text the module as it is
 * @param {{ path: string, before: string, after: string, occurrence: number }} entry of sample.json
 * @returns {string} the mutated module
 * @throws {Error} when the lines are no longer there
 */
export function applied(text, { path, before, after, occurrence }) {
  const pieces = text.split(before);
  if (pieces.length < occurrence + 2)
    throw new Error(`${path} no longer has the lines:\n${before}`);
  const head = pieces.slice(0, occurrence + 1).join(before);
  return head + after + pieces.slice(occurrence + 1).join(before);
}
