/**
 * The response to a request, worked out the plain way: conditions interpreted, deep merge, JSON.stringify. It is
 * the oracle of every HTTP scenario, and what the `ordinary` contender does for each request.
 */
import xxhash from 'xxhash-addon';
import type { Json, JsonObject } from './game-content.js';
import type { BenchRule, PlainContext } from './mappings.js';

/** A content as an ordinary server holds it: parsed once. */
export interface PlainContent {
  readonly id: string;
  readonly value: JsonObject;
  readonly hash: string;
  readonly rules: readonly BenchRule[];
}

export type ResponseForm = 'plain' | 'wrapped' | 'serialized';

export function plainResponse(
  content: PlainContent,
  context: PlainContext,
  form: ResponseForm,
): string {
  if (form === 'plain') return JSON.stringify(content.value);
  const { meta, patches } = selectPlainly(content.rules, context);
  let value: Json = content.value;
  for (const patch of patches) value = mergePatch(value, patch);
  const data = form === 'serialized' ? JSON.stringify(value) : value;
  return JSON.stringify({ data, hash: content.hash, meta });
}

interface PlainSelection {
  readonly meta: JsonObject;
  /** RFC 7396, to be applied in order. */
  readonly patches: readonly JsonObject[];
  /** What `meta.seg` has of each rule, and its patch. */
  readonly applied: readonly { readonly entry: Json; readonly patch: JsonObject | undefined }[];
}

export function selectPlainly(rules: readonly BenchRule[], context: PlainContext): PlainSelection {
  const uid = xxhash.XXHash32.hash(Buffer.from(context.u)).readUInt32BE();
  const mod = uid % 1000;
  const seg: Json[] = [];
  const patches: JsonObject[] = [];
  const applied: { entry: Json; patch: JsonObject | undefined }[] = [];
  for (const rule of rules) {
    if (!matches(rule.when, context)) continue;
    const variant = rule.variants?.find(({ groups }) => mod >= groups[0] && mod <= groups[1]);
    if (rule.variants !== undefined && variant === undefined) continue;
    const patch = variant === undefined ? rule.merge : variant.merge;
    if (patch !== undefined) patches.push(patch);
    const named = { n: rule.segment, v: variant?.name ?? null };
    const entry = rule.info === undefined ? named : { ...named, i: rule.info };
    seg.push(entry);
    applied.push({ entry, patch });
  }
  return { meta: { uid, mod, seg }, patches, applied };
}

/** The operators that the benchmarks' mappings use. */
function matches(when: JsonObject, context: PlainContext): boolean {
  for (const [key, wanted] of Object.entries(when)) {
    const actual = key === '@v' ? context.v : context.p[key];
    if (!isObject(wanted)) {
      if (actual !== wanted) return false;
      continue;
    }
    for (const [operator, operand] of Object.entries(wanted)) {
      if (!holds(operator, actual ?? null, operand)) return false;
    }
  }
  return true;
}

function holds(operator: string, actual: Json, operand: Json): boolean {
  switch (operator) {
    case '$in':
      return (operand as readonly Json[]).includes(actual);
    case '$gte':
      return (actual as number) >= (operand as number);
    case '$gt':
      return (actual as number) > (operand as number);
    case '$vgte':
      return compareVersions(actual as string, operand as string) >= 0;
    default:
      throw new Error(`The plain response does not know ${operator}.`);
  }
}

function compareVersions(a: string, b: string): number {
  const others = b.split('.').map(Number);
  for (const [at, part] of a.split('.').map(Number).entries()) {
    if (part !== others[at]) return part - others[at]!;
  }
  return 0;
}

/** RFC 7396, copying only the objects on the way to a change: kinder than cloning the whole content first. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key] ?? null, value);
  }
  return result;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
