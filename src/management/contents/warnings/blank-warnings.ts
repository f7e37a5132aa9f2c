/**
 * Warns of texts in a list of values that begin or end with a blank: `["DE", " FR"]` leaves French players out. Nothing
 * is rejected, and nothing is trimmed: an attribute may have such a value.
 */
import { type AttributeTest, attributeTests } from '../../../content/condition/attribute-tests.js';
import { conditionFindingsMax } from '../../../content/condition/condition-limits.js';
import type { ValidationIssue } from '../../../contract/problems.js';

/** A value is quoted in a message up to here: enough to recognize it. */
const quotedCharsMax = 40;

/**
 * @param condition one that compiles, as `JSON.parse` gave it
 * @param path where it stands: `when`, `mapping[0].when`
 */
export function blankWarnings(condition: unknown, path: string): ValidationIssue[] {
  const warnings: ValidationIssue[] = [];
  for (const test of attributeTests(condition, path)) {
    new ListValues(test, warnings).visit(test.operand, test.path);
  }
  return warnings;
}

const listOperators: ReadonlySet<string> = new Set([
  '$in',
  '$nin',
  '$ini',
  '$nini',
  '$all',
  '$alli',
]);

/** Goes through the operand of one test, and the operators and conditions that it holds. */
class ListValues {
  readonly #name: string;
  readonly #warnings: ValidationIssue[];

  constructor({ name }: AttributeTest, warnings: ValidationIssue[]) {
    this.#name = name;
    this.#warnings = warnings;
  }

  visit(operand: unknown, path: string): void {
    if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return;
    for (const [name, value] of Object.entries(operand)) {
      const at = `${path}.${name}`;
      if (!Array.isArray(value)) this.visit(value, at);
      else if (listOperators.has(name)) this.#list(value, at);
      else for (const [index, part] of value.entries()) this.visit(part, `${at}[${index}]`);
    }
  }

  #list(values: readonly unknown[], path: string): void {
    for (const [index, value] of values.entries()) {
      if (this.#warnings.length >= conditionFindingsMax) return;
      const at = `${path}[${index}]`;
      if (typeof value !== 'string') this.visit(value, at);
      else if (value !== value.trim())
        this.#warnings.push({ path: at, message: this.#describe(value) });
    }
  }

  #describe(value: string): string {
    const trimmed = value.trim();
    const effect =
      trimmed === '' ? 'only the same blanks match it' : `${quoted(trimmed)} does not match it`;
    return `the value ${quoted(value)} of "${this.#name}" begins or ends with a blank: ${effect}`;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= quotedCharsMax ? text : `${text.slice(0, quotedCharsMax)}…`);
}
