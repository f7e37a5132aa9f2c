/** Finds attributes by name or by their usual words, and knows which are used elsewhere. Pure. */
import type { Attribute } from '../../contract/operations/attributes.js';
import { playerFields } from './condition-operators.js';

/** Whether an attribute matches a search. */
export function isFoundBy(name: string, typed: string): boolean {
  const search = typed.trim().toLowerCase();
  return [name, ...wordsFor(name)].some((words) => words.toLowerCase().includes(search));
}

/**
 * The attribute that typed words describe, such as `@v` for "app version"; null: the text is a name. A single word
 * ("version") may be the name of a game's own attribute.
 */
export function attributeCalled(typed: string): string | null {
  const wanted = typed.trim().toLowerCase();
  if (!wanted.includes(' ')) return null;
  const found = playerFields.find(({ words }) => words.includes(wanted));
  return found?.name ?? null;
}

function wordsFor(name: string): readonly string[] {
  return playerFields.find((field) => field.name === name)?.words ?? [];
}

/** Where the own condition is. */
export interface Beside {
  readonly segment: string | undefined;
  readonly content: string | undefined;
}

/** Whether anything but the own condition uses an attribute. */
export function isUsedBeside(attribute: Attribute, { segment, content }: Beside): boolean {
  const { segments, contents, sampleUsers, lastSeen } = attribute;
  const own = content?.toLowerCase();
  return (
    lastSeen !== null ||
    sampleUsers.length > 0 ||
    segments.some((name) => name !== segment) ||
    contents.some((id) => id.toLowerCase() !== own)
  );
}
