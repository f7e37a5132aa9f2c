/** Reads an OpenAPI document as a test needs it: its operations, and whether an answer is one that they promise. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema, of which a test looks at what it needs.
export type Schema = any;

export interface Operation {
  /** Upper case. */
  readonly method: string;
  /** With `{name}` for what varies. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** The least role; null: no token is needed. */
  readonly role: 'support' | 'viewer' | 'editor' | 'owner' | null;
  readonly security: readonly unknown[] | undefined;
  readonly parameters: readonly Parameter[];
  /** Media type of the body; null: it takes none. */
  readonly bodyType: string | null;
  readonly bodySchema: Schema;
  readonly responses: Readonly<Record<string, Schema>>;
}

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const ndjson = 'application/x-ndjson';
const base = 'https://loadout.test/document';

export class OpenapiDocument {
  // biome-ignore lint/suspicious/noExplicitAny: JSON as it came.
  readonly json: any;
  readonly operations: readonly Operation[];
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(json: unknown) {
    this.json = json;
    this.operations = readOperations(this.json);
    // What an answer holds beyond its documentation is a fault of the documentation.
    this.#ajv.addSchema(closeObjects(this.json) as object, base);
  }

  /** The operation that a request is of; throws when there is none. */
  operation(method: string, path: string): Operation {
    const found = this.findOperation(method, path);
    if (found === null) throw new Error(`${method} ${path} is not documented`);
    return found;
  }

  findOperation(method: string, path: string): Operation | null {
    const asked = path.split('?')[0]?.split('/') ?? [];
    const matches = this.operations.filter((operation) => {
      const parts = operation.path.split('/');
      return (
        operation.method === method &&
        parts.length === asked.length &&
        parts.every((part, index) => part.startsWith('{') || part === asked[index])
      );
    });
    // A literal part is nearer than a varying one.
    const variables = (operation: Operation): number => operation.path.split('{').length;
    return matches.sort((a, b) => variables(a) - variables(b))[0] ?? null;
  }

  /** Asserts that the operation promises this status, with this type, this form and, of a refusal, this code. */
  expectDocumented(operation: Operation, answer: Answered): void {
    const { method, path, responses } = operation;
    const shown = `${method} ${path} -> ${answer.status} ${answer.text.slice(0, 300)}`;
    const response = responses[answer.status];
    expect(response, `not documented: ${shown}`).toBeDefined();
    const [type = ''] = answer.contentType.split(';');
    if (response.content === undefined) {
      expect(answer.text, shown).toBe('');
      return;
    }
    expect(Object.keys(response.content), shown).toContain(type);
    const place = ['paths', path, method.toLowerCase(), 'responses', `${answer.status}`];
    const pointer = [...place, 'content', type, type === ndjson ? 'x-itemSchema' : 'schema'];
    for (const value of valuesOf(type, answer.text)) {
      const faults = this.#faults(pointer, value);
      expect(faults, shown).toEqual([]);
    }
    if (type === 'application/problem+json') {
      const { code, status } = JSON.parse(answer.text);
      expect(response.description, shown).toContain(`\`${code}\``);
      expect(status, shown).toBe(answer.status);
    }
  }

  /** Whether the schema of the operation's body takes the value. */
  takesBody(operation: Operation, body: unknown): boolean {
    const { method, path, bodyType } = operation;
    const pointer = ['paths', path, method.toLowerCase(), 'requestBody', 'content', `${bodyType}`];
    return this.#faults([...pointer, 'schema'], body).length === 0;
  }

  /** Faults of a value under the schema that a JSON pointer into the document names. */
  #faults(pointer: readonly string[], value: unknown): readonly string[] {
    const escaped = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const reference = `${base}#/${escaped.map(encodeURIComponent).join('/')}`;
    const known = this.#validators.get(reference);
    const validate = known ?? this.#ajv.compile({ $ref: reference });
    if (known === undefined) this.#validators.set(reference, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** What a body of the type holds: one value, or one a line; text is not looked into. */
function valuesOf(type: string, text: string): readonly unknown[] {
  if (type === ndjson) {
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line));
  }
  return type.endsWith('json') ? [JSON.parse(text)] : [];
}

function readOperations(json: Schema): Operation[] {
  return Object.entries<Schema>(json.paths).flatMap(([path, item]) =>
    Object.entries<Schema>(item).map(([method, operation]): Operation => {
      const [body] = Object.entries<Schema>(operation.requestBody?.content ?? {});
      return {
        method: method.toUpperCase(),
        path,
        id: operation.operationId,
        summary: operation.summary ?? '',
        description: operation.description ?? '',
        tags: operation.tags ?? [],
        role: operation['x-role'] ?? null,
        security: operation.security,
        parameters: operation.parameters ?? [],
        bodyType: body?.[0] ?? null,
        bodySchema: body?.[1].schema,
        responses: operation.responses,
      };
    }),
  );
}

function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closeObjects(inner)]),
  );
  const isObject = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isObject ? { additionalProperties: false, ...copy } : copy;
}
