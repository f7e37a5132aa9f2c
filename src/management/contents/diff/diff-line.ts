/** Compares two stored texts of a version line: where their JSON differs, and how the texts with their comments do. */
import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import type { LineDiff } from '../../../contract/operations/history/content-history.js';
import { deliveredJson } from '../../store/contents/delivered-json.js';
import { firstPointers } from './diff-pointers.js';

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

/** The unified diff of two texts with their comments. */
export interface TextDiff {
  /** In unified form, without file headers; '' where the texts are the same. */
  readonly text: string;
  /** There is more than is shown: more lines, longer lines, or more differences than are looked for. */
  readonly cut: boolean;
}

/** More than a person reads at once. */
const linesShownMax = 1_000;
/** A minified text is one line of megabytes. */
const lineCharsMax = 400;
/** Looking for the shortest diff takes the square of the differences: beyond this, or this long, none is shown. */
const editsMax = 4_000;
const searchMsMax = 2_000;
const contextLines = 3;

/** Bounded in lines, in their length and in work. */
export function diffTexts(before: string, after: string): TextDiff {
  if (before === after) return { text: '', cut: false };
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: contextLines,
    maxEditLength: editsMax,
    timeout: searchMsMax,
  });
  if (patch === undefined) return { text: '', cut: true };
  const lines = formatPatch(patch, OMIT_HEADERS).trimEnd().split('\n');
  const shown = lines.slice(0, linesShownMax);
  const isLong = shown.some((line) => line.length > lineCharsMax);
  return {
    text: shown.map(shortened).join('\n'),
    cut: isLong || lines.length > linesShownMax,
  };
}

function shortened(line: string): string {
  return line.length <= lineCharsMax ? line : `${line.slice(0, lineCharsMax)}…`;
}
