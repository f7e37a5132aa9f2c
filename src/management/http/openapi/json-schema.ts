/**
 * Makes JSON Schemas for the OpenAPI document from zod schemas, so that generators and linters read them as intended: defaults
 * are described in text, because generators take a field with a `default` for one that must be sent; tuples say what their
 * items are; responses may grow.
 */
import { z } from 'zod';
import { describedByMarker } from '../../../contract/schemas/described-by.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** `input`: what a client sends; `output`: what it receives. */
type Direction = 'input' | 'output';

/** Converts the schemas of one document and collects the components that they refer to. */
export class JsonSchemas {
  /** By name. A schema with an id is a component; the one for requests is called `…Input`. */
  readonly components: Record<string, JsonSchema> = {};
  readonly #converted = {
    input: new Map<z.ZodType, JsonSchema>(),
    output: new Map<z.ZodType, JsonSchema>(),
  };

  of(schema: z.ZodType, direction: Direction): JsonSchema {
    const known = this.#converted[direction].get(schema);
    if (known !== undefined) return known;
    const made = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => simplify(jsonSchema, direction),
    });
    const suffix = direction === 'input' ? 'Input' : '';
    const text = JSON.stringify(made).replaceAll(
      definition,
      `"$ref":"#/components/schemas/$1${suffix}"`,
    );
    const { $schema: _, $defs = {}, ...converted } = JSON.parse(text);
    for (const [name, component] of Object.entries<JsonSchema>($defs)) {
      this.components[name + suffix] = JSON.parse(JSON.stringify(component), openObjects);
    }
    this.#converted[direction].set(schema, converted);
    return converted;
  }
}

/** A reviver: components of requests are open as well, as clients were generated from them. */
function openObjects(key: string, value: unknown): unknown {
  return key === 'additionalProperties' && value === false ? undefined : value;
}

const definition = /"\$ref":"#\/\$defs\/([^"]+)"/g;

/** Members become undefined, not deleted: zod would write a bare `anyOf` of types in another way. */
function simplify(schema: Record<string, unknown>, direction: Direction): void {
  const { [describedByMarker]: component, description, default: leftOut, prefixItems } = schema;
  if (component !== undefined) {
    for (const key of Object.keys(schema)) schema[key] = undefined;
    Object.assign(schema, { $ref: `#/components/schemas/${component}`, description });
    return;
  }
  // The bounds of safe integers stand on every integer, and `readOnly` on every list that the code may not change.
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) schema['minimum'] = undefined;
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) schema['maximum'] = undefined;
  if (schema['readOnly'] === true) schema['readOnly'] = undefined;
  // A later version may add a field to a response, and a client must not mind.
  if (direction === 'output' && schema['additionalProperties'] === false) {
    schema['additionalProperties'] = undefined;
  }
  if (leftOut !== undefined) {
    schema['description'] = describeDefault(description, leftOut);
    schema['default'] = undefined;
  }
  // `items: false`, nothing beyond the places, is what some linters take for no `items` at all.
  if (Array.isArray(prefixItems) && schema['items'] === false) {
    schema['items'] = itemOf(prefixItems);
  }
}

/** What each place of a tuple may hold. */
function itemOf(places: readonly unknown[]): unknown {
  const kinds = new Map(places.map((place) => [JSON.stringify(place), place]));
  return kinds.size === 1 ? places[0] : { anyOf: [...kinds.values()] };
}

function describeDefault(description: unknown, value: unknown): string {
  const text = typeof description === 'string' ? description.trim() : '';
  const ended = text === '' || text.endsWith('.') ? text : `${text}.`;
  return `${ended} ${formatDefault(value)}`.trim();
}

/** Numbers from here on stand for all there are. */
const boundless = 2 ** 31 - 1;

function formatDefault(value: unknown): string {
  if (typeof value === 'number' && value >= boundless) return 'Left out, it bounds nothing.';
  if (value === '') return 'Left out, it is empty.';
  return `Left out, it is \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
}
