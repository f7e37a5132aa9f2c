/** A guard as its fields are typed, and back. Pure. */
import type { GuardInput } from '../../../contract/schemas/guard.js';

export type GuardEnum = NonNullable<GuardInput['enum']>;

/** Members that are undefined go: they were left empty. */
export type GuardEdit = { readonly [K in keyof GuardInput]?: GuardInput[K] | undefined };

export function editGuard(guard: GuardInput, edit: GuardEdit): GuardInput {
  const members = Object.entries({ ...guard, ...edit });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as GuardInput;
}

type MaxChange = NonNullable<GuardInput['maxChange']>;

/** Undefined: neither is left. */
export function editMaxChange(
  maxChange: MaxChange | undefined,
  edit: { readonly [K in keyof MaxChange]: MaxChange[K] | undefined },
): MaxChange | undefined {
  const { factor, by } = { ...maxChange, ...edit };
  if (factor === undefined && by === undefined) return undefined;
  return { ...(factor !== undefined && { factor }), ...(by !== undefined && { by }) };
}

/** `gold`, `5`, `true`; a text that would read as another JSON value is quoted. */
export function enumTexts(values: GuardEnum | undefined): string[] {
  return (values ?? []).map((value) =>
    typeof value === 'string' && scalarOf(value) === value ? value : JSON.stringify(value),
  );
}

/** Undefined: no value is left. */
export function enumOf(texts: readonly string[]): GuardEnum | undefined {
  return texts.length === 0 ? undefined : texts.map(scalarOf);
}

/** JSON where it is a scalar, otherwise the text itself. */
function scalarOf(text: string): GuardEnum[number] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : (value as GuardEnum[number]);
  } catch {
    return text;
  }
}
