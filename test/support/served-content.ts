/** A content item as a delivery process holds it, of one text for every caller. */
import { SelectionBudget } from '../../src/content/selection-budget.js';
import { ServedContent } from '../../src/delivery/render/served-content.js';

const budget = new SelectionBudget(1e6, true);

/** The digest of its body is the JSON text itself, so that a test can make the body from the digest. */
export function servedContentOf(id: string, json: string): ServedContent {
  const line = { version: '0.0.0', digest: json, hash: '0', bytes: Buffer.byteLength(json) };
  const row = {
    environment: 'e',
    id,
    lines: [line],
    mapping: null,
    mappingDigest: '',
    flags: [],
    candidate: null,
  };
  return new ServedContent(row, () => undefined, budget);
}
