/** Whether a value fits a schema well enough to take its branch: by kinds, constants, and members that must be there. Pure. */
import { childOf, type TextNode, type TextTree } from '../../../content/json/text-tree.js';
import { sourceOf, stringOf } from '../table/cell-text.js';
import { factsOf } from './schema-facts.js';

/** Branches are told apart by what is near; deeper, the server checks. */
const levelsMax = 4;

export function fits(
  schema: TextTree,
  schemas: readonly TextNode[],
  text: string,
  value: TextNode,
  levels = levelsMax,
): boolean {
  const facts = factsOf(schema, schemas);
  const { kinds, options, parts } = facts;
  if (facts.isForbidden || (kinds !== null && !kinds.has(value.kind))) return false;
  if (facts.isInteger && value.kind === 'number' && !Number.isInteger(numberOf(text, value)))
    return false;
  if (options !== null && !options.some(({ source }) => isSame(source, sourceOf(text, value))))
    return false;
  if (levels === 0) return true;
  const isChosen = facts.choices.every(({ branches }) =>
    branches.some((branch) => fits(schema, [branch], text, value, levels - 1)),
  );
  return isChosen && parts.every((part) => fitsMembers(schema, part, text, value, levels - 1));
}

function fitsMembers(
  schema: TextTree,
  part: TextNode,
  text: string,
  value: TextNode,
  levels: number,
): boolean {
  if (value.kind !== 'object') return true;
  const required = childOf(part, 'required')?.children ?? [];
  const isThere = (name: TextNode): boolean =>
    name.kind !== 'string' || childOf(value, stringOf(schema.text, name)) !== null;
  if (!required.every(isThere)) return false;
  const described = childOf(part, 'properties')?.children ?? [];
  const others = childOf(part, 'additionalProperties');
  if (others !== null && sourceOf(schema.text, others) === 'false') {
    const names = new Set(described.map(({ name }) => name));
    const hasPatterns = childOf(part, 'patternProperties') !== null;
    if (!hasPatterns && value.children.some(({ name }) => !names.has(name))) return false;
  }
  return described.every((property) => {
    const member = childOf(value, property.name ?? '');
    return member === null || fits(schema, [property], text, member, levels);
  });
}

/** Whether two sources of JSON are of one value; numbers too large for a double are compared as they are written. */
export function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    const [a, b]: [unknown, unknown] = [JSON.parse(one), JSON.parse(other)];
    if (typeof a === 'number') return a === b && Math.abs(a) <= Number.MAX_SAFE_INTEGER;
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    return false;
  }
}

function numberOf(text: string, value: TextNode): number {
  return Number(sourceOf(text, value));
}
