/** Hands the text of a file to the editor of a new content, which keeps it like one that was typed. */

const texts = new Map<string, string>();

const nameOf = (env: string, id: string): string => JSON.stringify([env, id.toLowerCase()]);

export function beginWithText(env: string, id: string, text: string): void {
  texts.set(nameOf(env, id), text);
}

/** Once: after that it is in the draft. */
export function takeFirstText(env: string, id: string): string | null {
  const name = nameOf(env, id);
  const text = texts.get(name) ?? null;
  texts.delete(name);
  return text;
}
