/** A mutation of the sample, made in the text of its module. */

/**
 * @param {string} text the module as it is
 * @param {{ path: string, before: string, after: string, occurrence: number, later?: { before: string, after: string, occurrence: number } }} entry
 *   of sample.json; `later`: the same mutation where the lines have been edited since it was drawn
 * @returns {string} the mutated module
 * @throws {Error} when the lines are no longer there
 */
export function applied(text, entry) {
  for (const { before, after, occurrence } of [entry, entry.later ?? entry]) {
    const pieces = text.split(before);
    if (pieces.length < occurrence + 2) continue;
    const head = pieces.slice(0, occurrence + 1).join(before);
    return head + after + pieces.slice(occurrence + 1).join(before);
  }
  throw new Error(`${entry.path} no longer has the lines:\n${entry.before}`);
}
