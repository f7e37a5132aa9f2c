/** Reads when a rule is open, as the server does. Pure. */
import { indexDocument } from '../../../content/json/document.js';
import { stripJsonc } from '../../../content/json/jsonc.js';
import { TextIssue } from '../../../content/json/text-issue.js';
import {
  type MappingIssue,
  MappingObject,
  MappingValue,
} from '../../../content/mapping/mapping-object.js';
import { readWindow } from '../../../content/mapping/mapping-window.js';
import type { Window } from '../../../content/mapping/window.js';
import { objectSource } from '../../api/raw-json.js';

/** As it is written in a rule; null: absent. */
export interface WindowSource {
  readonly from: string | null;
  readonly until: string | null;
  /** JSON source of the member. */
  readonly repeat: string | null;
}

const encoder = new TextEncoder();
/** A repeat is an object of plain members. */
const levelsMax = 8;

/** @returns null where the server would reject it */
export function readWindowSource({ from, until, repeat }: WindowSource): Window | null {
  const source = objectSource(
    { from: from ?? undefined, until: until ?? undefined },
    { repeat: repeat ?? undefined },
  );
  const json = stripJsonc(encoder.encode(source), levelsMax);
  if (json instanceof TextIssue) return null;
  const issues: MappingIssue[] = [];
  const object = MappingObject.read(new MappingValue(indexDocument(json), 0, '', issues));
  if (object === null) return null;
  const window = readWindow(object, []);
  return issues.length === 0 ? window : null;
}
