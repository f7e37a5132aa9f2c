/** Joins the parts of `allOf` where all of them are objects with members: "what every item has, and more". Pure. */

type Json = Readonly<Record<string, unknown>>;

/** What a part may have and still be joined. */
const joined = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'title', 'description'],
  ...['$comment', 'default', 'examples', 'deprecated', 'unevaluatedProperties'],
  ...['$schema', '$id', '$defs', 'definitions', 'allOf'],
]);

/**
 * @param schema that has `allOf`
 * @param resolve follows a reference, if it is one
 * @returns a schema without `allOf`; null: it is not of this form, or a member has two schemas
 */
export function objectsMerged(
  schema: Json,
  parts: readonly unknown[],
  resolve: (part: unknown) => unknown,
): Json | null {
  const { allOf: _, ...own } = schema;
  const properties = new Map<string, unknown>();
  const required = new Set<unknown>();
  for (const part of [own, ...parts.map(resolve)]) {
    if (!isObject(part) || (part !== own && 'allOf' in part)) return null;
    if (Object.keys(part).some((keyword) => !joined.has(keyword))) return null;
    const { type = 'object', properties: members = {}, required: names = [] } = part;
    if (type !== 'object' || !isObject(members) || !Array.isArray(names)) return null;
    for (const [name, value] of Object.entries(members)) {
      if (properties.has(name)) return null;
      properties.set(name, value);
    }
    for (const name of names) required.add(name);
  }
  return {
    ...own,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [...required],
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
