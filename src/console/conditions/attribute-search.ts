/** Finds attributes by what people call them: the name, or the words for what the server knows of every player. */
import { playerFields } from './condition-operators.js';

/** Whether an attribute is found by what somebody types. */
export function isFoundBy(name: string, typed: string): boolean {
  const search = typed.trim().toLowerCase();
  return [name, ...wordsFor(name)].some((words) => words.toLowerCase().includes(search));
}

/**
 * The attribute whose words somebody typed in full, such as `@v` for "app version"; null: they are a name. One word alone
 * ("version") may well be what a game calls an attribute.
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
