/** One schema of all contents, whose members are the contents: so a generator names all types once. Pure. */

import { createHash } from 'node:crypto';
import type { ExportedContent } from './exported-contents.js';
import { inferSchema } from './inferred-schema.js';
import type { SchemaNode, TypedSchema, TypeFinding } from './schema-node.js';
import { titleOf } from './type-names.js';
import { typedSchema } from './typed-schema.js';

export interface TypedContent {
  readonly id: string;
  /** What the functions that read it are called after, in PascalCase; no other content has it. */
  readonly name: string;
  /** Digest of the schema text; null: the type is inferred. */
  readonly schemaDigest: string | null;
}

export interface ContentsSchema {
  readonly schema: SchemaNode & { readonly $defs: Readonly<Record<string, SchemaNode>> };
  readonly contents: readonly TypedContent[];
  readonly findings: readonly (TypeFinding & { readonly id: string })[];
}

/** The type whose members are the contents. */
export const contentsTypeName = 'Contents';

const digestChars = 16;

/** @throws CommandFailure when a content has no schema and its text is not valid */
export function contentsSchema(exported: readonly ExportedContent[]): ContentsSchema {
  const properties: [string, SchemaNode][] = [];
  const definitions: [string, SchemaNode][] = [];
  const contents: TypedContent[] = [];
  const findings: (TypeFinding & { readonly id: string })[] = [];
  const names = new Set<string>();
  for (const [index, content] of exported.entries()) {
    const { id, schema } = content;
    const prefix = `c${index}`;
    const typed = schemaOf(content, prefix);
    findings.push(...typed.findings.map((finding) => ({ id, ...finding })));
    if (!isContainer(typed)) {
      const message =
        'It is not always an object or an array, so it gets no type: read it with get.';
      findings.push({ id, pointer: '', message });
      continue;
    }
    const root = typed.definitions.has(prefix) ? { $ref: `#/$defs/${prefix}` } : typed.root;
    properties.push([id, root]);
    definitions.push(...typed.definitions);
    contents.push({ id, name: uniqueName(id, names), schemaDigest: digestOf(schema) });
  }
  const schema = {
    type: 'object' as const,
    title: contentsTypeName,
    description: 'All content items, by id.',
    properties: Object.fromEntries(properties),
    required: contents.map(({ id }) => id),
    additionalProperties: false as const,
    $defs: Object.fromEntries(definitions),
  };
  return { schema, contents, findings };
}

function schemaOf(content: ExportedContent, prefix: string): TypedSchema {
  if (content.schema === null) return inferSchema(content);
  return typedSchema(JSON.parse(content.schema), content.id, prefix);
}

/** The kits hand out objects and arrays as text, and nothing else. */
function isContainer({ root, definitions }: TypedSchema): boolean {
  const node = root.$ref === undefined ? root : definitions.get(root.$ref.slice('#/$defs/'.length));
  return node?.type === 'object' || node?.type === 'array';
}

function uniqueName(id: string, names: Set<string>): string {
  const base = titleOf(id);
  let name = base;
  for (let count = 2; names.has(name); count += 1) name = `${base}${count}`;
  names.add(name);
  return name;
}

function digestOf(schema: string | null): string | null {
  if (schema === null) return null;
  return createHash('sha256').update(schema).digest('hex').slice(0, digestChars);
}
