/** What a text of the store delivers. */
import { strict as assert } from 'node:assert';
import { TextIssue } from '../../../content/json/text-issue.js';
import { stripText } from '../../../native/text-work.js';
import { storedLevelsMax } from '../../limits.js';

/** The text was checked when it was saved, so a fault here is damage, not input. */
export function deliveredJson(text: Uint8Array): Uint8Array {
  const json = stripText(text, storedLevelsMax);
  assert(!(json instanceof TextIssue), 'a stored text is JSON without its comments');
  return json;
}
