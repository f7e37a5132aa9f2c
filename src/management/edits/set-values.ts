/** Sets one value in some texts: the heavy part of an edit, for a worker. Pure. */
import { TextIssue } from '../../content/json/text-issue.js';
import { JsonPointer, parsePointer } from '../../content/mutation/json-pointer.js';
import { setValue } from '../../content/mutation/set-value.js';
import { type PreparedText, prepareText } from '../contents/validate/prepare-text.js';
import { storedLevelsMax } from '../limits/bodies.js';

export interface SetValuesInput {
  readonly texts: readonly Uint8Array[];
  /** JSON Pointer that was parsed before. */
  readonly path: string;
  readonly value: Uint8Array;
  readonly create: boolean;
  /** Limits of a text that is saved. */
  readonly bytesMax: number;
  readonly levelsMax: number;
}

/** What becomes of one text; values are JSON text, cut where they are long. */
export type SetText =
  | ({
      readonly kind: 'set';
      readonly bytes: Uint8Array;
      readonly before: string | null;
      readonly after: string;
    } & Pick<Extract<PreparedText, { ok: true }>, 'line' | 'warnings'>)
  | { readonly kind: 'same'; readonly before: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly message: string };

/** @returns one for each text, in their order */
export function setValues({ texts, ...input }: SetValuesInput): SetText[] {
  const path = parsePointer(input.path);
  if (!(path instanceof JsonPointer)) throw new TypeError(`no JSON Pointer: ${path}`);
  return texts.map((text) => setInText(text, path, input));
}

function setInText(
  text: Uint8Array,
  path: JsonPointer,
  { value, create, bytesMax, levelsMax }: Omit<SetValuesInput, 'texts' | 'path'>,
): SetText {
  const result = setValue(text, { path, value, create }, storedLevelsMax);
  if (result instanceof TextIssue) return { kind: 'invalid', message: result.message };
  if (result.kind === 'missing') return result;
  if (result.kind === 'same') return { kind: 'same', before: shownValue(result.before) };
  const { text: bytes, before, after } = result;
  if (bytes.byteLength > bytesMax) {
    const message = `The text would have ${bytes.byteLength} bytes; the limit is ${bytesMax}.`;
    return { kind: 'invalid', message };
  }
  const prepared = prepareText({ bytes, levelsMax });
  if (!prepared.ok) return { kind: 'invalid', message: prepared.message };
  const { line, warnings } = prepared;
  const shown = { before: before === null ? null : shownValue(before), after: shownValue(after) };
  return { kind: 'set', bytes, line, warnings, ...shown };
}

/** People compare values by their beginnings. */
const valueCharsMax = 200;

function shownValue(json: Uint8Array): string {
  const text = Buffer.from(json.subarray(0, 4 * valueCharsMax)).toString();
  const isCut = text.length > valueCharsMax || json.byteLength > 4 * valueCharsMax;
  return isCut ? `${text.slice(0, valueCharsMax - 1)}…` : text;
}
