/** Compares two stored texts of a line: where their JSON differs, and how the texts with their comments do. */

import { deliveredJson } from '../../store/contents/delivered-json.js';
import { diffPointers, type PointerChange } from './diff-pointers.js';
import { diffTexts, type TextDiff } from './diff-texts.js';

export interface DiffLine {
  /** As stored; null: the line is not there. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly pointersMax: number;
}

export interface LineDiff {
  readonly pointers: readonly PointerChange[];
  /** There are more than are shown. */
  readonly pointersCut: boolean;
  readonly text: TextDiff;
}

/** Of a line that was added or removed, only the text is shown. */
export function diffLine({ before, after, pointersMax }: DiffLine): LineDiff {
  const text = diffTexts(textOf(before), textOf(after));
  if (before === null || after === null) return { pointers: [], pointersCut: false, text };
  const pointers = diffPointers(deliveredJson(before), deliveredJson(after), pointersMax + 1);
  return {
    pointers: pointers.slice(0, pointersMax),
    pointersCut: pointers.length > pointersMax,
    text,
  };
}

function textOf(bytes: Uint8Array | null): string {
  if (bytes === null) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
