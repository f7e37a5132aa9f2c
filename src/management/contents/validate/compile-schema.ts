/** Compiles JSON Schemas (draft 2020-12) once each, and describes their errors. Only workers load it: it is large. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { digestOf } from '../../../content/hash.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import { findUnknownKeywords } from './unknown-keywords.js';

export interface SchemaError {
  /** RFC 6901; '' is the whole document. */
  readonly pointer: string;
  readonly message: string;
}

export type CompiledSchema = {
  readonly ok: true;
  /** What is valid but probably a mistake. */
  readonly warnings: readonly ValidationIssue[];
  /**
   * Empty: the value is valid.
   * @param all every error, up to a bound; else only the first: a large value can have millions
   */
  readonly validate: (value: unknown, all: boolean) => readonly SchemaError[];
};

type SchemaIssues = { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** Compiled ones that a worker keeps: those of the contents that are being edited. */
const compiledMax = 50;
const errorsShownMax = 20;
/** A list of allowed values in a message. */
const valuesCharsMax = 120;

const compiled = new LRUCache<string, CompiledSchema | SchemaIssues>({ max: compiledMax });

/** @param text JSON; it may be a boolean */
export function compileSchema(text: string): CompiledSchema | SchemaIssues {
  const digest = digestOf(Buffer.from(text));
  const known = compiled.get(digest);
  if (known !== undefined) return known;
  const made = compile(JSON.parse(text) as Schema);
  compiled.set(digest, made);
  return made;
}

type Schema = boolean | Record<string, unknown>;

function compile(schema: Schema): CompiledSchema | SchemaIssues {
  const draft = typeof schema === 'boolean' ? undefined : schema['$schema'];
  if (draft !== undefined && draft !== draft2020 && draft !== `${draft2020}#`) {
    return issue('/$schema', `must be ${draft2020}, or be left out`);
  }
  // Ajv would return a promise, which is never false.
  if (typeof schema !== 'boolean' && '$async' in schema) {
    return issue('/$async', 'is no keyword of JSON Schema');
  }
  const formatWarnings: ValidationIssue[] = [];
  const ajv = makeAjv(false, (message) => formatWarnings.push({ path: 'schema', message }));
  let validate: ValidateFunction;
  try {
    if (!ajv.validateSchema(schema)) {
      const issues = (ajv.errors ?? []).slice(0, errorsShownMax).map(schemaIssue);
      return { ok: false, issues };
    }
    validate = ajv.compile(schema);
  } catch (error) {
    if (error instanceof RangeError) return issue('', 'nests too deeply');
    return issue('', error instanceof Error ? error.message : String(error));
  }
  // It warns when it compiles; what it says twice is said once.
  const warnings = new Map(
    [...findUnknownKeywords(schema), ...formatWarnings].map((warning) => [
      warning.message,
      warning,
    ]),
  );
  // Most values are valid, and a large one with a million errors must not fill the memory.
  let validateAll: ValidateFunction | null = null;
  return {
    ok: true,
    warnings: [...warnings.values()],
    validate: (value, all) => {
      const errors = errorsOf(validate, value);
      if (errors.length === 0 || !all) return errors;
      validateAll ??= makeAjv(true, () => undefined).compile(schema);
      return errorsOf(validateAll, value);
    },
  };
}

function makeAjv(allErrors: boolean, warn: (message: string) => void): Ajv2020 {
  const logger = { log: () => undefined, warn, error: () => undefined };
  // An instance each: two schemas may have the same $id.
  const ajv = new Ajv2020({ strict: false, allErrors, logger });
  addFormats.default(ajv);
  return ajv;
}

function errorsOf(validate: ValidateFunction, value: unknown): SchemaError[] {
  try {
    if (validate(value)) return [];
  } catch (error) {
    // The stack is full: a schema that refers to itself without going deeper into the value.
    if (!(error instanceof RangeError)) throw error;
    return [{ pointer: '', message: 'cannot be checked: its schema refers to itself without end' }];
  }
  const errors = new Map<string, SchemaError>();
  for (const error of validate.errors ?? []) {
    const found = { pointer: error.instancePath, message: describeError(error) };
    errors.set(`${found.pointer} ${found.message}`, found);
  }
  return [...errors.values()].slice(0, errorsShownMax);
}

/** Ajv's own message, with the name or the values that they leave out. */
function describeError({ message = 'is not valid', params }: ErrorObject): string {
  const name: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (name !== undefined) return `${message}: ${JSON.stringify(name)}`;
  const values: unknown = params['allowedValues'] ?? params['allowedValue'];
  if (values === undefined) return message;
  const text = JSON.stringify(values);
  const shown = text.length <= valuesCharsMax ? text : `${text.slice(0, valuesCharsMax)}…`;
  return `${message}: ${shown}`;
}

function schemaIssue(error: ErrorObject): ValidationIssue {
  return { path: `schema${error.instancePath}`, message: describeError(error) };
}

function issue(pointer: string, message: string): SchemaIssues {
  return { ok: false, issues: [{ path: `schema${pointer}`, message }] };
}

const draft2020 = 'https://json-schema.org/draft/2020-12/schema';
