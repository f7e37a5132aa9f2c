/**
 * Reduces a JSON Schema (draft 2020-12) to what types of all three languages express. What is lost is a finding: a
 * generator that meets an unknown keyword drops it without a word. Pure.
 */

import { pointerWith } from '../../content/envelope/pointer-with.js';
import { placesMax } from './inferred-schema.js';
import { objectsMerged } from './merged-objects.js';
import type { SchemaNode, TypedSchema, TypeFinding } from './schema-node.js';
import { singularOf, titleOf } from './type-names.js';

export type Json = Readonly<Record<string, unknown>>;

/** They check values, which the server does at each save; a type has no word for them. */
const checksOfValues = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'pattern'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties'],
  ...['maxProperties', 'propertyNames', 'contains', 'minContains', 'maxContains'],
];
/** They make the form of a value depend on something, which a type cannot say. */
const conditions = [
  ...['not', 'if', 'then', 'else', 'dependentSchemas', 'dependentRequired', 'dependencies'],
  ...['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef'],
];
const typeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
type TypeName = (typeof typeNames)[number];
const descriptionCharsMax = 300;
const levelsMax = 64;
const localReference = /^#\/(?:\$defs|definitions)\/([^/]+)$/;
const int64Max = 2 ** 63;

/**
 * @param name of the content
 * @param prefix for the names of its definitions, which those of other contents must not meet
 */
export function typedSchema(schema: unknown, name: string, prefix: string): TypedSchema {
  const reduction = new Reduction(schema, prefix);
  const root = reduction.nodeOf(schema, name, '', 0);
  return { root, definitions: reduction.takeDefinitions(name, root), findings: reduction.found };
}

class Reduction {
  readonly #schema: unknown;
  readonly #prefix: string;
  readonly #findings: TypeFinding[] = [];
  readonly #checks = new Map<string, number>();
  /** Definitions that something refers to, by name; null: not reduced yet. */
  readonly #definitions = new Map<string, SchemaNode | null>();
  #refersToRoot = false;
  #places = 0;

  constructor(schema: unknown, prefix: string) {
    this.#schema = schema;
    this.#prefix = prefix;
  }

  get found(): readonly TypeFinding[] {
    if (this.#checks.size === 0) return this.#findings;
    const counts = [...this.#checks].sort().map(([keyword, count]) => `${keyword} (${count})`);
    const message = `Types do not have ${counts.join(', ')}; the server checks them at each save.`;
    return [...this.#findings, { pointer: '', message }];
  }

  /** Reduces what is referred to, which may refer to more. */
  takeDefinitions(name: string, root: SchemaNode): ReadonlyMap<string, SchemaNode> {
    const taken = new Map<string, SchemaNode>();
    for (;;) {
      const next = [...this.#definitions].find(([, node]) => node === null)?.[0];
      if (next === undefined) break;
      // Before it is reduced: it may refer to itself.
      this.#definitions.set(next, {});
      const pointer = pointerWith(`/${this.#folderOf(next)}`, next);
      const node = this.nodeOf(this.#definitionOf(next), next, pointer, 0);
      taken.set(this.#keyOf(next), { title: titleOf(next), ...node });
    }
    if (this.#refersToRoot) taken.set(this.#prefix, { title: titleOf(name), ...root });
    return taken;
  }

  /** @param name of the member or definition, for a type that needs one */
  nodeOf(value: unknown, name: string, pointer: string, level: number): SchemaNode {
    this.#places += 1;
    if (level > levelsMax) return this.#anything(pointer, 'It nests too deep for a type.');
    if (this.#places > placesMax) return this.#anything('', `It has over ${placesMax} places.`);
    if (value === true) return {};
    if (typeof value !== 'object' || value === null) {
      return this.#anything(pointer, 'Nothing is valid here, which no type says.');
    }
    const schema = value as Json;
    this.#note(schema, pointer);
    const node = this.#formOf(schema, name, pointer, level);
    const { title, description } = schema;
    return {
      ...node,
      ...(typeof title === 'string' && isNamed(node) && { title: titleOf(title) }),
      ...(typeof description === 'string' && { description: plainText(description) }),
    };
  }

  #formOf(schema: Json, name: string, pointer: string, level: number): SchemaNode {
    const below = (keyword: string): string => pointerWith(pointer, keyword);
    if (typeof schema['$ref'] === 'string') return this.#reference(schema['$ref'], schema, pointer);
    const parts = schema['allOf'];
    if (Array.isArray(parts)) {
      const merged = objectsMerged(schema, parts, (part) => this.#resolved(part));
      if (merged !== null) return this.#formOf(merged, name, pointer, level + 1);
      return this.#anything(below('allOf'), 'Only objects can be joined to one type.');
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const alternatives = schema[keyword];
      if (!Array.isArray(alternatives)) continue;
      if (schema['properties'] !== undefined) {
        this.#find(below(keyword), 'It stands beside properties: only these are in the type.');
        break;
      }
      return this.#alternatives(alternatives, name, below(keyword), level);
    }
    if ('const' in schema) return this.#values([schema['const']], name, below('const'));
    if (Array.isArray(schema['enum'])) return this.#values(schema['enum'], name, below('enum'));
    const types = typesIn(schema);
    if (types.length === 0) return {};
    const nodes = types.map((type) => this.#ofType(type, schema, name, pointer, level));
    return nodes.length === 1 ? (nodes[0] as SchemaNode) : { anyOf: nodes };
  }

  #ofType(type: TypeName, schema: Json, name: string, at: string, level: number): SchemaNode {
    switch (type) {
      case 'object':
        return this.#object(schema, name, at, level);
      case 'array':
        return this.#array(schema, name, at, level);
      case 'string':
        return schema['format'] === 'date-time' ? { type, format: 'date-time' } : { type };
      case 'integer':
        if ([schema['minimum'], schema['maximum']].some((bound) => isWide(bound))) {
          this.#find(at, 'Its bounds are beyond integers of 64 bits.');
        }
        return { type };
      default:
        return { type };
    }
  }

  #object(schema: Json, name: string, at: string, level: number): SchemaNode {
    const { properties, additionalProperties, patternProperties } = schema;
    const members = isJson(properties) ? Object.entries(properties) : [];
    const patterns = isJson(patternProperties) ? Object.entries(patternProperties) : [];
    if (members.length === 0) return this.#map(schema, patterns, name, at, level);
    if (patterns.length > 0 || isJson(additionalProperties)) {
      this.#find(at, 'Members that are not in properties are not in the type.');
    }
    const nodes = members.map(([member, value]) => {
      const pointer = pointerWith(pointerWith(at, 'properties'), member);
      return [member, this.nodeOf(value, member, pointer, level + 1)] as const;
    });
    const names = Array.isArray(schema['required']) ? schema['required'] : [];
    const absent = names.filter((each) => !members.some(([member]) => member === each));
    if (absent.length > 0) this.#find(at, `${absent.join(', ')} must be there, and has no schema.`);
    return {
      type: 'object',
      title: titleOf(name),
      properties: Object.fromEntries(nodes),
      // Of any type, so null as well: that it must be there is nothing a type can ask for.
      required: nodes.flatMap(([member, node]) =>
        names.includes(member) && Object.keys(node).some((key) => key !== 'description')
          ? [member]
          : [],
      ),
      additionalProperties: false,
    };
  }

  /** An object whose members have no names of their own: all are of one type. */
  #map(
    { additionalProperties }: Json,
    patterns: readonly (readonly [string, unknown])[],
    name: string,
    at: string,
    level: number,
  ): SchemaNode {
    const member = singularOf(name);
    const [pattern] = patterns;
    if (patterns.length === 1 && pattern !== undefined && !isJson(additionalProperties)) {
      const pointer = pointerWith(pointerWith(at, 'patternProperties'), pattern[0]);
      this.#find(pointer, 'The names of members are not in the type.');
      const node = this.nodeOf(pattern[1], member, pointer, level + 1);
      return { type: 'object', additionalProperties: node };
    }
    if (patterns.length > 0) this.#find(at, 'Which members have which form is not in the type.');
    if (patterns.length > 0 || !isJson(additionalProperties)) {
      return { type: 'object', additionalProperties: {} };
    }
    const pointer = pointerWith(at, 'additionalProperties');
    const node = this.nodeOf(additionalProperties, member, pointer, level + 1);
    return { type: 'object', additionalProperties: node };
  }

  #array({ items, prefixItems }: Json, name: string, at: string, level: number): SchemaNode {
    const element = singularOf(name);
    if (Array.isArray(prefixItems)) {
      const pointer = pointerWith(at, 'prefixItems');
      this.#find(pointer, 'Elements of different places are of one type, which takes all forms.');
      const all = items === undefined || items === false ? prefixItems : [...prefixItems, items];
      return { type: 'array', items: this.#alternatives(all, element, pointer, level) };
    }
    const pointer = pointerWith(at, 'items');
    return {
      type: 'array',
      items: items === undefined ? {} : this.nodeOf(items, element, pointer, level + 1),
    };
  }

  #alternatives(values: readonly unknown[], name: string, at: string, level: number): SchemaNode {
    const nodes = values.map((value, index) =>
      this.nodeOf(value, name, pointerWith(at, String(index)), level + 1),
    );
    if (nodes.some((node) => Object.keys(node).length === 0)) return {};
    if (nodes.filter((node) => isNamed(node)).length > 1) {
      const message = 'Alternatives that are objects are one type, with all members of each.';
      this.#find(at, message);
    }
    return nodes.length === 1 ? (nodes[0] as SchemaNode) : { anyOf: nodes };
  }

  #values(values: readonly unknown[], name: string, at: string): SchemaNode {
    const texts = values.filter((value) => typeof value === 'string');
    const others = new Set(values.filter((value) => typeof value !== 'string').map(typeOfValue));
    const only = [...others].filter((type) => type !== 'null');
    if (only.length > 0) this.#find(at, `The values are not in the type, only ${only.join(', ')}.`);
    const nodes: SchemaNode[] = [...others].map((type) =>
      type === 'object'
        ? { type, additionalProperties: {} }
        : type === 'array'
          ? { type, items: {} }
          : { type },
    );
    if (texts.includes('')) {
      // Json.NET takes an empty text for null where it wants a value of an enum.
      this.#find(at, 'The empty text cannot be a name: the type is any text.');
      nodes.unshift({ type: 'string' });
    } else if (texts.length > 0) {
      nodes.unshift({ type: 'string', title: titleOf(name), enum: texts });
    }
    return nodes.length === 1 ? (nodes[0] as SchemaNode) : { anyOf: nodes };
  }

  #reference(reference: string, schema: Json, pointer: string): SchemaNode {
    const beside = ['properties', 'allOf', 'anyOf', 'oneOf', 'required', 'items'];
    if (beside.some((keyword) => keyword in schema)) {
      this.#find(pointer, 'What stands beside $ref is not in the type.');
    }
    if (reference === '#') {
      this.#refersToRoot = true;
      return { $ref: `#/$defs/${this.#prefix}` };
    }
    const name = referredTo(reference);
    if (name === undefined || this.#definitionOf(name) === undefined) {
      return this.#anything(pointer, `${reference} is not a definition of this schema.`);
    }
    if (!this.#definitions.has(name)) this.#definitions.set(name, null);
    return { $ref: `#/$defs/${this.#keyOf(name)}` };
  }

  #resolved(value: unknown): unknown {
    const name = isJson(value) ? referredTo(String(value['$ref'])) : undefined;
    return name === undefined ? value : this.#definitionOf(name);
  }

  /** Letters and digits, whatever the name has: the type is named after its title. */
  #keyOf(name: string): string {
    return `${this.#prefix}x${Buffer.from(name).toString('hex')}`;
  }

  #folderOf(name: string): '$defs' | 'definitions' {
    const folder = isJson(this.#schema) ? this.#schema['$defs'] : undefined;
    return isJson(folder) && Object.hasOwn(folder, name) ? '$defs' : 'definitions';
  }

  #definitionOf(name: string): unknown {
    const folder = isJson(this.#schema) ? this.#schema[this.#folderOf(name)] : undefined;
    return isJson(folder) && Object.hasOwn(folder, name) ? folder[name] : undefined;
  }

  #note(schema: Json, pointer: string): void {
    for (const keyword of checksOfValues) {
      if (keyword in schema) this.#checks.set(keyword, (this.#checks.get(keyword) ?? 0) + 1);
    }
    for (const keyword of conditions) {
      // What must not be there is no loss.
      if (keyword in schema && schema[keyword] !== false) {
        this.#find(pointerWith(pointer, keyword), 'What it asks for is not in the type.');
      }
    }
  }

  #anything(pointer: string, message: string): SchemaNode {
    this.#find(pointer, `${message} The type takes any value.`);
    return {};
  }

  #find(pointer: string, message: string): void {
    if (!this.#findings.some((each) => each.pointer === pointer && each.message === message)) {
      this.#findings.push({ pointer, message });
    }
  }
}

/** The definition that a reference within the schema names, as JSON Pointers write it. */
function referredTo(reference: string): string | undefined {
  const name = localReference.exec(reference)?.[1];
  return name?.replaceAll('~1', '/').replaceAll('~0', '~');
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a type is made for it that needs a name. */
function isNamed({ properties, enum: values, $ref }: SchemaNode): boolean {
  return properties !== undefined || values !== undefined || $ref !== undefined;
}

function typesIn(schema: Json): readonly TypeName[] {
  const { type } = schema;
  const listed = typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];
  const known = typeNames.filter((name) => listed.includes(name));
  if (known.length > 0) {
    return known.includes('number') ? known.filter((name) => name !== 'integer') : known;
  }
  if (isJson(schema['properties']) || isJson(schema['additionalProperties'])) return ['object'];
  return schema['items'] !== undefined || schema['prefixItems'] !== undefined ? ['array'] : [];
}

function typeOfValue(value: unknown): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'number' ? 'number' : type === 'boolean' ? 'boolean' : 'object';
}

function isWide(bound: unknown): boolean {
  return typeof bound === 'number' && Math.abs(bound) > int64Max;
}

/** A comment of the generated code is one line of plain text: nothing in it can end the comment. */
function plainText(description: string): string {
  const text = description.replace(/[\p{C}\p{Z}\s]+/gu, ' ').replaceAll('*/', '* /');
  return text
    .replace(/[<>&\\]/g, ' ')
    .trim()
    .slice(0, descriptionCharsMax);
}
