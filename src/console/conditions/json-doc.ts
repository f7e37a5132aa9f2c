/** Prints JSON with values in their own spelling, on one line if it fits and on several if not. */

/** A value's source, or an object or array whose parts are known. */
export type JsonDoc = string | JsonObjectDoc | JsonListDoc;

export interface JsonObjectDoc {
  readonly members: readonly (readonly [name: string, value: JsonDoc])[];
}

export interface JsonListDoc {
  readonly elements: readonly JsonDoc[];
}

const lineCharsMax = 88;

export function printDoc(doc: JsonDoc, indent = ''): string {
  if (typeof doc === 'string') return doc;
  const flat = printFlat(doc);
  if (flat.length + indent.length <= lineCharsMax && !flat.includes('\n')) return flat;
  const inner = `${indent}  `;
  const parts = partsOf(doc).map(([prefix, value]) => `${inner}${prefix}${printDoc(value, inner)}`);
  const [open, close] = bracketsOf(doc);
  return parts.length === 0 ? open + close : `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function printFlat(doc: JsonDoc): string {
  if (typeof doc === 'string') return doc;
  const parts = partsOf(doc).map(([prefix, value]) => prefix + printFlat(value));
  const [open, close] = bracketsOf(doc);
  if (parts.length === 0) return open + close;
  const pad = 'members' in doc ? ' ' : '';
  return `${open}${pad}${parts.join(', ')}${pad}${close}`;
}

function partsOf(doc: JsonObjectDoc | JsonListDoc): (readonly [prefix: string, value: JsonDoc])[] {
  return 'members' in doc
    ? doc.members.map(([name, value]) => [`${JSON.stringify(name)}: `, value] as const)
    : doc.elements.map((value) => ['', value] as const);
}

function bracketsOf(doc: JsonObjectDoc | JsonListDoc): readonly [string, string] {
  return 'members' in doc ? ['{', '}'] : ['[', ']'];
}
