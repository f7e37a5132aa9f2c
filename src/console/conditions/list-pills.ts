/** Converts the values of a list to pills and back. A pill shows a text without quotes if that loses nothing. */
import { elementSources } from '../api/raw-json.js';
import { jsonNumber, kindOfSource, listSource, textOfSource } from './operand-source.js';

/** The pills of a list, one for each value. */
export function pillsOf(source: string): string[] {
  return (elementSources(source) ?? []).map(pillOf);
}

/** Quotes a text whose blanks at the ends, or own quotation marks, would be invisible on a pill. */
function pillOf(element: string): string {
  if (kindOfSource(element) !== 'text') return element;
  const text = textOfSource(element);
  return text === '' || text !== text.trim() || isQuoted(text) ? JSON.stringify(text) : text;
}

export interface TypedPills {
  /** JSON source of the list. */
  readonly source: string;
  /** The typed text that is not a number; null: there is none. */
  readonly invalid: string | null;
}

/**
 * The list with other pills. Known values keep their spelling. A new text is trimmed; one in quotation marks keeps its
 * blanks.
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
  let invalid: string | null = null;
  for (const pill of pills) {
    const element = old.get(pill)?.shift() ?? newElement(pill.trim(), kind);
    if (element === null) invalid ??= pill;
    else if (element !== '') elements.push(element);
  }
  return { source: listSource(elements), invalid };
}

/** JSON source; '' for nothing, null for text that is not a number. */
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
