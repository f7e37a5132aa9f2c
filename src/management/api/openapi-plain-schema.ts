/**
 * Rewrites JSON Schemas of the OpenAPI document so that generators and linters make of them what is meant: what is left out
 * is said in words, because generators take a field with a `default` for one that must be sent; lists of fixed places
 * say what their items are.
 */

type Json = Readonly<Record<string, unknown>>;

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ofSchema = new Set(['items', 'additionalProperties', 'not', 'contentSchema', 'x-itemSchema']);
const ofSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const ofNamedSchemas = new Set(['properties', 'patternProperties', '$defs']);

/** @param schema any JSON Schema; `true` and `false`, too */
export function plainSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { default: leftOut, ...rest } = schema;
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (ofSchema.has(key)) plain[key] = plainSchema(value);
    else if (ofSchemas.has(key)) plain[key] = (value as readonly unknown[]).map(plainSchema);
    else if (ofNamedSchemas.has(key)) plain[key] = mapSchemas(value as Json);
    else plain[key] = value;
  }
  const { prefixItems: places } = plain;
  // `items: false`, nothing beyond the places, is what some linters take for no `items` at all.
  if (Array.isArray(places) && !plain['items']) {
    Object.assign(plain, {
      items: itemOf(places),
      minItems: places.length,
      maxItems: places.length,
    });
  }
  if (leftOut === undefined) return plain;
  return { ...plain, description: describeDefault(plain['description'], leftOut) };
}

/** A parameter describes itself beside its schema. */
export function plainParameter(parameter: unknown): unknown {
  const { schema, description, ...rest } = parameter as Json;
  if (!isObject(schema)) return parameter;
  const { default: leftOut, ...others } = schema;
  const words = leftOut === undefined ? description : describeDefault(description, leftOut);
  return {
    ...rest,
    ...(words === undefined ? {} : { description: words }),
    schema: plainSchema(others),
  };
}

function mapSchemas(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, plainSchema(one)]));
}

/** What each place of a list may hold. */
function itemOf(places: readonly unknown[]): unknown {
  const kinds = new Map(places.map((place) => [JSON.stringify(place), place]));
  return kinds.size === 1 ? places[0] : { anyOf: [...kinds.values()] };
}

/** Numbers from here on stand for all there are. */
const boundless = 2 ** 31 - 1;

function describeDefault(description: unknown, value: unknown): string {
  const words = typeof description === 'string' ? description.trim() : '';
  const ended = words === '' || words.endsWith('.') ? words : `${words}.`;
  return `${ended} ${leftOutWords(value)}`.trim();
}

function leftOutWords(value: unknown): string {
  if (typeof value === 'number' && value >= boundless) return 'Left out, it bounds nothing.';
  if (value === '') return 'Left out, it is empty.';
  return `Left out, it is \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
