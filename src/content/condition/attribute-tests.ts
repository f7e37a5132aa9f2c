/**
 * Finds the tests of attributes in a condition: which attribute of the user each reads, and where it stands. What is
 * within an operand (`$elemMatch`) is about elements of that attribute, and part of its test.
 */
import { callerReaders } from './condition-grammar.js';

export interface AttributeTest {
  /** The name as it is written: `player.level`, or `@v`. */
  readonly name: string;
  /** The name that the game sends: `player`. Null: the server itself knows the value (`@u`, `@v`, `@mod`). */
  readonly attribute: string | null;
  readonly operand: unknown;
  /** Such as `when.$and[1].player.level`. */
  readonly path: string;
}

/**
 * In the order in which they are written.
 * @param condition one that compiles, as `JSON.parse` gave it
 */
export function attributeTests(condition: unknown, path: string): AttributeTest[] {
  const found: AttributeTest[] = [];
  collect(condition, path, found);
  return found;
}

/** Recurses no deeper than the levels that a condition may have. */
function collect(condition: unknown, path: string, found: AttributeTest[]): void {
  for (const [name, operand] of Object.entries(condition as object)) {
    const at = `${path}.${name}`;
    if (name === '$not') collect(operand, at, found);
    else if (listJoins.has(name)) {
      for (const [index, part] of (operand as unknown[]).entries()) {
        collect(part, `${at}[${index}]`, found);
      }
    } else found.push({ name, attribute: attributeOf(name), operand, path: at });
  }
}

const listJoins: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);

function attributeOf(name: string): string | null {
  return callerReaders.has(name) ? null : (name.split('.', 1)[0] ?? name);
}
