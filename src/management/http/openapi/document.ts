/** Makes the OpenAPI document of the admin API from its operations. */
import type { Operation } from '../../../contract/operation.js';
import { mappingSchemas } from '../../../contract/schemas/targeting/mapping-schemas.js';
import { adminInfo, adminTags, securitySchemes } from './info.js';
import { JsonSchemas } from './json-schema.js';
import { describeOperation } from './operation.js';
import { webhookMessages } from './webhook-messages.js';

const parameter = /:(\w+)/g;

/** The document of these operations. */
export function openapiDocument(operations: readonly Operation[]): object {
  const schemas = new JsonSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(parameter, '{$1}');
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = describeOperation(operation, schemas);
  }
  return {
    openapi: '3.1.0',
    info: adminInfo,
    servers: [{ url: '/', description: 'The admin port that this document comes from.' }],
    tags: adminTags,
    paths: JSON.parse(JSON.stringify(paths), enumForConst),
    components: { securitySchemes, schemas: { ...schemas.components, ...mappingSchemas } },
    webhooks: webhookMessages,
  };
}

/** A reviver: outside of components, the only value of a literal is an `enum`, as clients were generated from it. */
function enumForConst(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('const' in value)) return value;
  const { const: only, ...schema } = value;
  return typeof only === 'object' ? value : { ...schema, enum: [only] };
}
