/** A JSON Schema (draft 2020-12) of what values at a place have in common. Pure; works in a browser. */
import { emptyShape, joinShape, type NumberRange, type ValueShape } from './value-shape.js';

/** Numbers may become so many times as much, or so little. */
const factor = 10;
/** Texts of a place in elements that make an enumeration: a few, and each about so often. */
const enumMax = 8;
const seenPerText = 3;
/** Objects with more members are maps of names that people choose. */
const membersOfMap = 24;
const membersMax = 64;

type Schema = Readonly<Record<string, unknown>>;

/** @param levels how deep objects and arrays are described */
export function schemaOf(shape: ValueShape, levels: number, isInArray = false): Schema {
  if (shape.isOpen || shape.kinds.size === 0) return {};
  return {
    ...typeOf(shape),
    ...(shape.numbers === null ? {} : boundsOf(shape.numbers)),
    ...(isInArray ? enumOf(shape) : {}),
    ...(levels > 0 ? childrenOf(shape, levels, isInArray) : {}),
  };
}

function typeOf({ kinds, numbers }: ValueShape): Schema {
  const types = [...kinds].map((kind) =>
    kind === 'number' && numbers?.areIntegers === true ? 'integer' : kind,
  );
  return { type: types.length === 1 ? types[0] : types };
}

/** Around what was seen; zero says nothing about the size of other numbers. */
function boundsOf({ min, max, areIntegers }: NumberRange): Schema {
  const lowest = min >= 0 ? min / factor : min * factor;
  const highest = max > 0 ? max * factor : max / factor;
  const minimum = areIntegers && min >= 0 ? Math.ceil(lowest) : roundedOut(lowest, Math.floor);
  const maximum = areIntegers && max <= 0 ? Math.floor(highest) : roundedOut(highest, Math.ceil);
  return {
    ...(Number.isFinite(minimum) && minimum <= min ? { minimum } : {}),
    ...(Number.isFinite(maximum) && maximum >= max && max !== 0 ? { maximum } : {}),
  };
}

/** To two digits, away from what was seen: 49.9 becomes 50. */
function roundedOut(value: number, round: (value: number) => number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const digits = Math.floor(Math.log10(Math.abs(value))) - 1;
  return Number(`${round(Number(`${value}e${-digits}`))}e${digits}`);
}

function enumOf({ kinds, texts, textsSeen }: ValueShape): Schema {
  const isTexts = kinds.size === 1 && kinds.has('string') && texts !== null;
  if (!isTexts || texts.size < 2 || texts.size > enumMax || textsSeen < texts.size * seenPerText)
    return {};
  return { enum: [...texts] };
}

function childrenOf(shape: ValueShape, levels: number, isInArray: boolean): Schema {
  const items = shape.items === null ? {} : schemaOf(shape.items, levels - 1, true);
  return {
    ...(isMap(shape) ? mapOf(shape, levels) : membersOf(shape, levels, isInArray)),
    ...(Object.keys(items).length === 0 ? {} : { items }),
  };
}

/** Many members, of one type: their names are data. */
function isMap({ members }: ValueShape): boolean {
  if (members.size > membersMax) return true;
  if (members.size <= membersOfMap) return false;
  const kinds = new Set([...members.values()].flatMap(({ shape }) => [...shape.kinds]));
  return kinds.size === 1;
}

function mapOf({ members }: ValueShape, levels: number): Schema {
  const joined = emptyShape();
  for (const { shape } of members.values()) joinShape(joined, shape);
  return { additionalProperties: schemaOf(joined, levels - 1, true) };
}

function membersOf(shape: ValueShape, levels: number, isInArray: boolean): Schema {
  // Ajv does not look at that name.
  const members = [...shape.members].filter(([name]) => name !== '__proto__');
  if (members.length === 0) return {};
  const required = members
    .filter(([, { seen, isOptional }]) => seen === shape.objectsSeen && !isOptional)
    .map(([name]) => name);
  const properties = members.map(
    ([name, member]) => [name, schemaOf(member.shape, levels - 1, isInArray)] as const,
  );
  return {
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}
