/** Compares two stored texts of a version line: where their JSON differs, and how the texts with their comments do. */
import type { LineDiff } from '../../../contract/operations/content-history.js';
import { deliveredJson } from '../../store/contents/delivered-json.js';
import { firstPointers } from './diff-pointers.js';
import { diffTexts } from './diff-texts.js';

export interface DiffLine {
  /** As stored; null: the version line does not exist. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly pointersMax: number;
}

/** Of a version line that was added or removed, only the text is shown. */
export function diffLine({
  before,
  after,
  pointersMax,
}: DiffLine): Pick<LineDiff, 'pointers' | 'pointersCut' | 'text' | 'textCut'> {
  const { text, cut: textCut } = diffTexts(textOf(before), textOf(after));
  const pointers =
    before === null || after === null
      ? { pointers: [], pointersCut: false }
      : firstPointers(deliveredJson(before), deliveredJson(after), pointersMax);
  return { ...pointers, text, textCut };
}

function textOf(bytes: Uint8Array | null): string {
  if (bytes === null) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
