/** The JSON source of an operand: its kind, and its conversion to the kind of another operator. */
import { elementSources } from '../api/raw-json.js';
import { type OperandKind, typeNames } from './condition-operators.js';

export type SourceKind = 'text' | 'number' | 'boolean' | 'null' | 'json';

/** How JSON spells a number. */
export const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function kindOfSource(source: string): SourceKind {
  if (source.startsWith('"')) return 'text';
  if (source === 'true' || source === 'false') return 'boolean';
  if (source === 'null') return 'null';
  return jsonNumber.test(source) ? 'number' : 'json';
}

/** The characters of a JSON string. */
export function textOfSource(source: string): string {
  try {
    return String(JSON.parse(source));
  } catch {
    return source;
  }
}

/** The operand as another kind of value, keeping what was typed if possible. */
export function asKind(source: string, kind: SourceKind): string {
  const known = kindOfSource(source);
  if (known === kind) return source;
  switch (kind) {
    case 'text':
      return known === 'json' ? '""' : JSON.stringify(known === 'null' ? '' : source);
    case 'number': {
      const text = textOfSource(source).trim();
      return jsonNumber.test(text) ? text : '0';
    }
    case 'boolean':
      return 'true';
    case 'null':
      return 'null';
    case 'json':
      return source;
  }
}

export type ListKind = 'texts' | 'numbers' | 'json';

/** Longer lists are edited as JSON: thousands of pills are unusable. */
const pillsMax = 100;

/** The kind of all elements; `json` for anything but a short list of one kind. */
export function kindOfList(source: string): ListKind {
  const elements = elementSources(source);
  if (elements === null || elements.length > pillsMax) return 'json';
  const kinds = new Set(elements.map(kindOfSource));
  if (kinds.size > 1) return 'json';
  if (kinds.has('number')) return 'numbers';
  return kinds.size === 0 || kinds.has('text') ? 'texts' : 'json';
}

export function listSource(elements: readonly string[]): string {
  return `[${elements.join(', ')}]`;
}

/** The list with elements of another kind: numbers as texts, and texts that are numbers as such. */
export function asListKind(source: string, kind: ListKind): string {
  if (kind === 'json') return source;
  const elements = elementSources(source) ?? [];
  const wanted = kind === 'texts' ? 'text' : 'number';
  const kept = elements.filter(
    (element) => wanted === 'text' || jsonNumber.test(textOfSource(element).trim()),
  );
  return listSource(kept.map((element) => asKind(element, wanted)));
}

/** The operand for an operator of another kind than it was typed for. */
export function fitOperand(kind: OperandKind, source: string): string {
  const elements = source.startsWith('[') ? elementSources(source) : null;
  switch (kind) {
    case 'plain':
      return elements?.[0] ?? (elements === null && source !== '{}' ? source : '""');
    case 'list':
      if (elements !== null) return source;
      return source === '""' || source.startsWith('{') ? '[]' : listSource([source]);
    case 'version':
    case 'pattern':
      return asKind(elements === null ? source : (elements[0] ?? '""'), 'text');
    case 'presence':
      return kindOfSource(source) === 'boolean' ? source : 'true';
    case 'type':
      return typeNames.some((name) => source === `"${name}"`) ? source : '"string"';
    case 'size':
      return asKind(elements === null ? source : '0', 'number');
    case 'json':
      return source.startsWith('{') ? source : '{}';
  }
}
