/** What a value begins with where a person adds it: its default, the first of its options, or the empty one with all that it must have. Pure. */
import {
  childOf,
  type TextKind,
  type TextNode,
  type TextTree,
} from '../../../content/json/text-tree.js';
import { emptySources, objectSource } from '../table/table-edits.js';
import { elementSchemas, memberSchemas, requiredNames } from './schema-children.js';
import { type Facts, factsOf, sourceFact } from './schema-facts.js';

/** A schema may require itself. */
const levelsMax = 6;
/** Objects of one line. */
const lineMax = 60;

/** @param kind of several that the schema allows; null: its first one */
export function startingSource(
  tree: TextTree,
  schemas: readonly TextNode[],
  kind: TextKind | null = null,
  levels = levelsMax,
): string {
  const facts = factsOf(tree, schemas);
  if (kind === null) {
    if (facts.initial !== null) return facts.initial;
    const option = facts.options?.[0];
    if (option !== undefined) return option.source;
    const open = facts.choices.find(
      ({ branches }) => !branches.some((branch) => facts.parts.includes(branch)),
    );
    const branch = open?.branches[0];
    if (branch !== undefined && levels > 0) {
      return startingSource(tree, [...facts.parts, branch], null, levels - 1);
    }
  }
  switch (kind ?? kindOf(facts)) {
    case 'object':
      return objectOf(tree, facts, levels);
    case 'array':
      return arrayOf(tree, facts, levels);
    case 'number':
      return numberOf(tree, facts);
    default:
      return emptySources[kind ?? kindOf(facts)];
  }
}

/** Text, where nothing says which. */
function kindOf({ kinds, parts }: Facts): TextKind {
  const [first] = kinds ?? [];
  if (first !== undefined) return first;
  if (parts.some((part) => childOf(part, 'properties') !== null)) return 'object';
  return parts.some((part) => childOf(part, 'items') !== null) ? 'array' : 'string';
}

function objectOf(tree: TextTree, facts: Facts, levels: number): string {
  if (levels === 0) return '{}';
  const members = [...requiredNames(tree, facts)].map((name) => {
    const source = startingSource(tree, memberSchemas(tree, facts, name), null, levels - 1);
    return `${JSON.stringify(name)}: ${source}`;
  });
  const isTall = members.join(', ').length > lineMax || members.join().includes('\n');
  return objectSource(
    isTall ? members.map((member) => member.replaceAll('\n', '\n  ')) : members,
    isTall,
  );
}

function arrayOf(tree: TextTree, facts: Facts, levels: number): string {
  const least = Math.min(8, Number(sourceFact(tree, facts.parts, 'minItems') ?? 0));
  if (!(least > 0) || levels === 0) return '[]';
  const items = Array.from({ length: least }, (_, index) =>
    startingSource(tree, elementSchemas(facts, index), null, levels - 1),
  );
  return `[${items.join(', ')}]`;
}

/** Zero, or the number nearest to it that the bounds allow. */
function numberOf(tree: TextTree, { parts }: Facts): string {
  const minimum = sourceFact(tree, parts, 'minimum');
  if (minimum !== null && Number(minimum) > 0) return minimum;
  const maximum = sourceFact(tree, parts, 'maximum');
  if (maximum !== null && Number(maximum) < 0) return maximum;
  const above = Number(sourceFact(tree, parts, 'exclusiveMinimum') ?? -1);
  if (above >= 0) return String(Math.floor(above) + 1);
  const below = Number(sourceFact(tree, parts, 'exclusiveMaximum') ?? 1);
  return below <= 0 ? String(Math.ceil(below) - 1) : '0';
}
