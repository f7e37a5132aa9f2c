/**
 * Checks that everything a content can deliver is valid by its JSON Schema (draft 2020-12): each line's text, the result
 * of every rule and of every variant alone, and of all rules together.
 */
import { indexDocument, type JsonDocument } from '../../../content/json/document.js';
import { splice } from '../../../content/mutation/splice.js';
import { mutatedBytesMax } from '../../../content/mutation/splice-limits.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import { faultsShownMax } from '../../limits/work.js';
import { type CompiledSchema, compileSchema, type SchemaError } from './compile-schema.js';
import { placeOfPointer } from './place-of-pointer.js';
import type { LineJson, Trial, Trials } from './try-mutations.js';
import type { PlainProblem, ValidatedLine } from './validate-state.js';

export interface SchemaCheck {
  /** Of the schema itself. */
  readonly problem: PlainProblem | null;
  /** Of what the content delivers. */
  readonly mismatch: PlainProblem | null;
  readonly warnings: readonly ValidationIssue[];
}

/**
 * JSON that is parsed to be checked, in bytes: some seconds' worth, less than the task may take. Results of single rules
 * beyond it are not looked at, which a warning says; the lines and all rules together always are.
 */
const checkedBytesMax = 256 * 1024 * 1024;

/** Errors of one result that are listed: the first ones show what is wrong. */
const errorsPerResultMax = 10;
/** Of larger results only the first error is looked for: collecting all of them takes memory for each. */
const allErrorsBytesMax = 1024 * 1024;

/**
 * @param texts the lines as stored, for the places of errors
 * @param lines the same lines as delivered
 */
export function checkSchema(
  schema: string,
  texts: readonly ValidatedLine[],
  lines: readonly LineJson[],
  trials: Trials,
): SchemaCheck {
  const compiled = compileSchema(schema);
  if (!compiled.ok) {
    const detail = 'The schema is not a JSON Schema (draft 2020-12).';
    const problem = { code: 'invalid_schema', detail, errors: compiled.issues } as const;
    return { problem, mismatch: null, warnings: [] };
  }
  const check = new ResultCheck(compiled);
  for (const [index, line] of lines.entries()) {
    // What is wrong with the line is wrong with most of its results, too: once is enough.
    if (check.line(line, texts[index]?.text ?? line.json)) check.results(line, trials);
  }
  const detail = 'The content does not match its schema.';
  const mismatch =
    check.errors.length === 0
      ? null
      : ({ code: 'invalid_content', detail, errors: check.errors } as const);
  return { problem: null, mismatch, warnings: [...compiled.warnings, ...check.warnings] };
}

class ResultCheck {
  readonly errors: ValidationIssue[] = [];
  readonly warnings: ValidationIssue[] = [];
  readonly #schema: CompiledSchema;
  #bytesLeft = checkedBytesMax;

  constructor(schema: CompiledSchema) {
    this.#schema = schema;
  }

  /** The line as it is without the mapping; false: it is not valid. */
  line({ version, json }: LineJson, text: Uint8Array): boolean {
    const found = this.#validate(json);
    for (const { pointer, message } of found) {
      const place = placeOfPointer(text, pointer);
      this.#add({
        path: 'text',
        appVersion: version,
        message: describeError(version, pointer, message),
        ...place,
      });
    }
    return found.length === 0;
  }

  /** What the mapping makes of the line. */
  results(line: LineJson, { byRule, columns }: Trials): void {
    const document = indexDocument(line.json);
    const errorsBefore = this.errors.length;
    for (const trial of byRule.flat()) {
      if (this.#bytesLeft < line.json.byteLength) {
        this.warnings.push({
          path: trial.path,
          appVersion: line.version,
          message: `Its result alone, on the line ${line.version}, is not checked against the schema, nor are those after it: it would take too long.`,
        });
        break;
      }
      this.#result(line, document, [trial], trial.path);
    }
    // A rule that is wrong alone would only be named again, less exactly.
    if (this.errors.length > errorsBefore || byRule.length < 2) return;
    for (const column of columns) this.#result(line, document, column, 'mapping');
  }

  #result(
    { version }: LineJson,
    document: JsonDocument,
    trials: readonly Trial[],
    path: string,
  ): void {
    if (this.errors.length >= faultsShownMax) return;
    const mutations = trials.map(({ mutation }) => mutation);
    const { bytes, issues } = splice(document, mutations, mutatedBytesMax);
    // One that cannot apply leaves the data as it is, which is checked already.
    if (issues.every((issue) => issue !== null)) return;
    for (const { pointer, message } of this.#validate(bytes)) {
      this.#add({ path, appVersion: version, message: describeError(version, pointer, message) });
    }
  }

  #validate(json: Uint8Array): readonly SchemaError[] {
    this.#bytesLeft -= json.byteLength;
    const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
    const all = json.byteLength <= allErrorsBytesMax;
    return this.#schema.validate(JSON.parse(text), all).slice(0, errorsPerResultMax);
  }

  #add(issue: ValidationIssue): void {
    if (this.errors.length < faultsShownMax) this.errors.push(issue);
  }
}

function describeError(version: string, pointer: string, message: string): string {
  const where = pointer === '' ? 'the whole document' : pointer;
  return `In the line ${version}, ${where} ${message}`;
}
