/** Mutations as a sample keeps them: with the lines around, found in the text of their module and made there. */

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

/**
 * The whole lines around a mutation, so that it is found again after other lines have moved.
 * @param {string} path of the module
 * @param {string} text of the module
 * @param {import('./operators.mjs').Mutation} mutation
 */
export function entryOf(path, text, { start, end, operator, replacement }) {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const to = lineEnd === -1 ? text.length : lineEnd;
  const before = text.slice(from, to);
  const after = text.slice(from, start) + replacement + text.slice(end, to);
  const occurrence = text.slice(0, from).split(before).length - 1;
  return {
    path,
    line: text.slice(0, start).split('\n').length,
    operator,
    occurrence,
    before,
    after,
  };
}
