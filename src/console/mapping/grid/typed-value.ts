/** What is typed into a cell, with its type: text as its characters, anything else as JSON. Pure. */
import { isJson } from '../../api/raw-json.js';
import {
  asKind,
  jsonNumber,
  kindOfSource,
  type SourceKind,
  textOfSource,
} from '../../conditions/operand-source.js';

export const typeOptions: readonly { readonly value: SourceKind; readonly label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'True or false' },
  { value: 'null', label: 'null' },
  { value: 'json', label: 'JSON' },
];

export interface TypedValue {
  readonly kind: SourceKind;
  /** As it stands in the field: the characters of a text, the source of anything else. */
  readonly text: string;
}

/**
 * @param source JSON of the value; null: there is none yet
 * @param like JSON of a value whose type a new one takes; null: there is nothing to go by
 * @param typed what replaces the value; null: it is edited as it is
 */
export function startTyping(
  source: string | null,
  like: string | null,
  typed: string | null,
): TypedValue {
  const known = source ?? like;
  const kind = known === null ? 'text' : kindOfSource(known);
  if (typed !== null) {
    const takesText = kind === 'text' || kind === 'number' || kind === 'json';
    return { kind: takesText ? kind : 'text', text: typed };
  }
  return { kind, text: known === null ? '' : fieldText(kind, known) };
}

function fieldText(kind: SourceKind, source: string): string {
  return kind === 'text' ? textOfSource(source) : source;
}

/** Null: it is not a value of its type yet. */
export function typedSource({ kind, text }: TypedValue): string | null {
  switch (kind) {
    case 'text':
      return JSON.stringify(text);
    case 'number':
      return jsonNumber.test(text.trim()) ? text.trim() : null;
    case 'boolean':
    case 'null':
      return text;
    case 'json':
      return isJson(text) ? text.trim() : null;
  }
}

export const typeIssues: Readonly<Partial<Record<SourceKind, string>>> = {
  number: 'Not a number, such as 3.99. Text needs the type Text.',
  json: 'Not JSON yet.',
};

/** The same as another type, as far as what was typed allows. */
export function withType(value: TypedValue, kind: SourceKind): TypedValue {
  const source = typedSource(value) ?? JSON.stringify(value.text);
  return { kind, text: fieldText(kind, asKind(source, kind)) };
}
