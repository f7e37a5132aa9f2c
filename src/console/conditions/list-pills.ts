/** Values of a list as pills, and back: a pill shows a text plainly where nothing of it would be lost on the way. */
import { elementSources } from '../api/raw-json.js';
import { jsonNumber, kindOfSource, listSource, textOfSource } from './operand-source.js';

/** What the pills of a list show, one for each value. */
export function pillsOf(source: string): string[] {
  return (elementSources(source) ?? []).map(pillOf);
}

/** Blanks around a text, or its own quotation marks, are not seen on a pill: such a text is shown quoted. */
function pillOf(element: string): string {
  if (kindOfSource(element) !== 'text') return element;
  const text = textOfSource(element);
  return text === '' || text !== text.trim() || isQuoted(text) ? JSON.stringify(text) : text;
}

export interface TypedPills {
  /** JSON source of the list. */
  readonly source: string;
  /** What was typed and is no number; null: all of it is. */
  readonly refused: string | null;
}

/**
 * The list with other pills. Values that were there keep their spelling. A new text is trimmed; one in quotation marks is
 * taken as it stands between them, for blanks that are meant.
 */
export function typedPills(
  before: string,
  pills: readonly string[],
  kind: 'texts' | 'numbers',
): TypedPills {
  const old = new Map<string, string[]>();
  for (const element of elementSources(before) ?? []) {
    const pill = pillOf(element);
    old.set(pill, [...(old.get(pill) ?? []), element]);
  }
  const elements: string[] = [];
  let refused: string | null = null;
  for (const pill of pills) {
    const element = old.get(pill)?.shift() ?? newElement(pill.trim(), kind);
    if (element === null) refused ??= pill;
    else if (element !== '') elements.push(element);
  }
  return { source: listSource(elements), refused };
}

/** JSON source; '' for nothing, null for what is no number. */
function newElement(typed: string, kind: 'texts' | 'numbers'): string | null {
  if (kind === 'numbers') return jsonNumber.test(typed) ? typed : null;
  if (isQuoted(typed)) return typed;
  return typed === '' ? '' : JSON.stringify(typed);
}

function isQuoted(text: string): boolean {
  if (!text.startsWith('"')) return false;
  try {
    return typeof JSON.parse(text) === 'string';
  } catch {
    return false;
  }
}
