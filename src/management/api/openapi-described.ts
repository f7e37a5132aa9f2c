/**
 * Lets the OpenAPI document describe a value by a component that is written out, where the schema that checks requests says less:
 * mappings and conditions are checked by the kernel, from the bytes that were sent.
 */
import { mappingSchemas } from './mapping-schemas.js';

const marker = 'x-described-by';

/** To be given to `meta` of the schema that checks. */
export function describedBy(
  component: keyof typeof mappingSchemas,
): Readonly<{ 'x-described-by': string }> {
  return { [marker]: component };
}

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
