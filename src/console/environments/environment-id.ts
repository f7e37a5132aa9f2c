/** Ids of environments, as the admin API takes them. */

export const environmentIdCharsMax = 64;

const pattern = /^[a-z0-9._-]+$/;
const dots = /^\.{1,2}$/;
const marks = /\p{M}/gu;
const others = /[^a-z0-9._-]+/g;
const dashesAround = /^-+|-+$/g;

/** What is wrong with an id; null: nothing. */
export function environmentIdError(id: string): string | null {
  if (id === '') return 'An environment needs an id.';
  if (id.length > environmentIdCharsMax) return `At most ${environmentIdCharsMax} characters.`;
  if (!pattern.test(id)) return 'Only lower-case letters, digits, “.”, “_” and “-”.';
  if (dots.test(id)) return 'Not “.” or “..”.';
  return null;
}

/** "Año 2: Beta" becomes "ano-2-beta". */
export function proposeEnvironmentId(name: string): string {
  const plain = name.normalize('NFD').replace(marks, '').toLowerCase();
  const id = plain.replace(others, '-').replace(dashesAround, '');
  return id.slice(0, environmentIdCharsMax).replace(dashesAround, '');
}
