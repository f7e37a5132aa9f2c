/** The JSON Schemas that generators are given: the few keywords that a type can express. Types only. */

/** JSON Schema, reduced to what all three languages express. */
export interface SchemaNode {
  title?: string;
  description?: string;
  $ref?: string;
  anyOf?: readonly SchemaNode[];
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  enum?: readonly string[];
  format?: 'date-time';
  properties?: Readonly<Record<string, SchemaNode>>;
  required?: readonly string[];
  additionalProperties?: SchemaNode | false;
  items?: SchemaNode;
}

/** What a type cannot say of a schema. */
export interface TypeFinding {
  /** JSON Pointer into the schema; '' is its root. */
  readonly pointer: string;
  /** One sentence. */
  readonly message: string;
}

export interface TypedSchema {
  readonly root: SchemaNode;
  /** By name, which `root` refers to as `#/$defs/<name>`. */
  readonly definitions: ReadonlyMap<string, SchemaNode>;
  readonly findings: readonly TypeFinding[];
}
