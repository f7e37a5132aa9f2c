/** Replaces each schema that `describedBy` marks by a reference to its component, and adds the components to the OpenAPI document. */
import { describedByMarker as marker } from '../../contract/schemas/described-by.js';
import { mappingSchemas } from '../../contract/schemas/mapping-schemas.js';

type Json = Readonly<Record<string, unknown>>;

/** The document with a reference in each place that was marked, and with the components that they refer to. */
export function withDescriptions<T extends object>(document: T): T {
  const { components, ...rest } = document as Record<string, unknown>;
  const { schemas, ...others } = components as Json;
  const described = refer({ ...others, schemas }) as Json;
  const all = { ...(described['schemas'] as Json), ...mappingSchemas };
  return { ...(refer(rest) as Json), components: { ...described, schemas: all } } as T;
}

function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value !== 'object' || value === null) return value;
  const { [marker]: component, description } = value as Json;
  if (component === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, refer(inner)]));
  }
  const reference = { $ref: `#/components/schemas/${String(component)}` };
  return description === undefined ? reference : { ...reference, description };
}
