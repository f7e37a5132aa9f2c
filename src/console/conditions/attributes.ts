/** Finds attributes by name or by their usual words, and knows which are doubtful. Pure. */
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

/** How the attribute is shown: `App version` for `@v`. */
export function titleOfAttribute(name: string): string {
  return playerFields.find((field) => field.name === name)?.title ?? name;
}

/** The name for what an input shows. */
export function attributeTitled(shown: string): string {
  return playerFields.find(({ title }) => title === shown)?.name ?? shown;
}

function wordsFor(name: string): readonly string[] {
  return playerFields.find((field) => field.name === name)?.words ?? [];
}

/** Where the own condition is. */
export interface Beside {
  readonly segment: string | undefined;
  readonly content: string | undefined;
}

/**
 * Why an attribute of a condition may be misspelled; null: no reason.
 * @param attribute undefined: nothing is known of it
 * @param hasSeenAny requests carried some attributes, so that a missing one says something
 */
export function describeDoubt(
  attribute: Attribute | undefined,
  beside: Beside,
  hasSeenAny: boolean,
): string | null {
  if (attribute === undefined || !isUsedBeside(attribute, beside)) {
    return hasSeenAny
      ? 'Not used elsewhere, and no request of the last 90 days carried it. Does your game send it?'
      : 'Not used elsewhere. Does your game send it?';
  }
  return hasSeenAny && attribute.lastSeen === null
    ? 'No request of the last 90 days carried it. Does your game send it?'
    : null;
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
