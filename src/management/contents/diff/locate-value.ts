/** Finds the value that a JSON pointer names in a stored text. */

import { digestOf } from '../../../content/hash.js';
import { indexDocument, valueEndOf, valueStartOf } from '../../../content/json/document.js';
import { textOf } from '../../../content/json/json-text.js';
import { locateNode, NOT_FOUND } from '../../../content/mutation/document-child.js';
import { parsePointer } from '../../../content/mutation/json-pointer.js';
import { deliveredJson } from '../../store/contents/delivered-json.js';

export interface LocateValue {
  /** As stored. */
  readonly text: Uint8Array;
  /** JSON pointer. */
  readonly path: string;
  readonly charsMax: number;
}

export interface LocatedValue {
  /** JSON text, cut where it is longer than `charsMax`. */
  readonly shown: string;
  /** Of the whole value as it is delivered. */
  readonly digest: string;
}

/** Null: there is none at the path. */
export function locateValue({ text, path, charsMax }: LocateValue): LocatedValue | null {
  const pointer = parsePointer(path);
  if (typeof pointer === 'string') return null;
  const document = indexDocument(deliveredJson(text));
  const node = locateNode(document, pointer);
  if (node === NOT_FOUND) return null;
  const start = valueStartOf(document, node);
  const end = valueEndOf(document, node);
  const shown = textOf(document.bytes, start, Math.min(end, start + 4 * charsMax));
  return {
    shown: shown.length <= charsMax ? shown : `${shown.slice(0, charsMax - 1)}…`,
    digest: digestOf(document.bytes.subarray(start, end)),
  };
}
