/** The texts that a content of the demo had before: worked out backwards from the one that is live in the end. */

import { strict as assert } from 'node:assert';
import type { DemoContent, DemoSave } from './game/demo-content.js';

/** Of the highest line, one for each of its saves. */
export function savedTexts({ lines, saves }: Pick<DemoContent, 'lines' | 'saves'>): string[] {
  const texts: string[] = [];
  let text = lines.at(-1)?.text ?? '';
  for (const save of saves.toReversed()) {
    // A mistake was made to the text that was there before and after it.
    texts.push(save.undone === undefined ? text : changedText(text, save));
    if (save.undone !== undefined) continue;
    for (const [before, after] of (save.changes ?? []).toReversed()) {
      text = replaceOnce(text, after, before);
    }
  }
  return texts.reverse();
}

/** What a save made of a text. */
export function changedText(text: string, { changes = [] }: Pick<DemoSave, 'changes'>): string {
  return changes.reduce((changed, [before, after]) => replaceOnce(changed, before, after), text);
}

function replaceOnce(text: string, from: string, to: string): string {
  const parts = text.split(from);
  assert(parts.length === 2, `"${from}" stands in a text of the demo ${parts.length - 1} times`);
  return parts.join(to);
}
