/** How heavy it is to compute the envelope of a state: what decides whether a worker does it. */

import type { StateTexts } from './find-findings.js';

/** Bytes that are gone through: each line, and the mapping for each of them. */
export function stateWeight({ lines, mapping }: StateTexts): number {
  const bytes = lines.reduce((sum, { text }) => sum + text.byteLength, 0);
  return bytes + (mapping?.byteLength ?? 0) * lines.length;
}
