/** Finds keywords of a JSON Schema that draft 2020-12 does not have: it ignores them, so a typo checks nothing. */
import type { ValidationIssue } from '../../../contract/problems.js';

/** The first ones show what is wrong. */
const keywordsShownMax = 20;
/** A schema nests as deep as its JSON, whose size is bounded; deeper than this it was not written by hand. */
const levelsMax = 200;

/** @param schema a schema that its meta-schema accepts */
export function findUnknownKeywords(schema: unknown): ValidationIssue[] {
  const found: ValidationIssue[] = [];
  visit(schema, 'schema', 0, found);
  return found;
}

function visit(schema: unknown, path: string, level: number, found: ValidationIssue[]): void {
  if (!isObject(schema) || level > levelsMax || found.length >= keywordsShownMax) return;
  for (const [keyword, value] of Object.entries(schema)) {
    const here = `${path}/${keyword}`;
    if (single.has(keyword)) visit(value, here, level + 1, found);
    else if (several.has(keyword)) visitAll(value, here, level, found);
    else if (!plain.has(keyword) && found.length < keywordsShownMax) {
      const message = `"${keyword}" is no keyword of JSON Schema 2020-12, so it checks nothing.`;
      found.push({ path: here, message });
    }
  }
}

/** Each schema of a list, or of an object by name. */
function visitAll(schemas: unknown, path: string, level: number, found: ValidationIssue[]): void {
  if (typeof schemas !== 'object' || schemas === null) return;
  for (const [name, schema] of Object.entries(schemas)) {
    visit(schema, `${path}/${name}`, level + 1, found);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Keywords whose value is a schema; a list of schemas, or schemas by name; none of these. */
const single = wordSet(
  'items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else contentSchema',
);
const several = wordSet(
  'allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas $defs definitions',
);
// Ajv takes `nullable` as OpenAPI 3.0 did, so it does check something.
const plain = wordSet(
  '$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired dependencies format contentEncoding contentMediaType title description default deprecated readOnly writeOnly examples nullable',
);
