/**
 * Marks a schema that checks less than the documents say: the kernel checks mappings and conditions, from the bytes that were
 * sent.
 */
import type { mappingSchemas } from './targeting/mapping-schemas.js';

export const describedByMarker = 'x-described-by';

/** For `meta` of the schema that checks: the OpenAPI document refers to this component instead. */
export function describedBy(
  component: keyof typeof mappingSchemas,
): Readonly<{ 'x-described-by': string }> {
  return { [describedByMarker]: component };
}
