/** Names of types: what a content, a member or a definition is called, in PascalCase. */

/** Words of a name: letters and digits, with a border where a capital follows a small letter. */
const word = /[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z0-9])/g;

const leadingDigit = /^\d/;
const pluralOfY = /ies$/i;
const plural = /[^s]s$/i;

/** `loot-boxes.v2` is `LootBoxesV2`; a name without any letter is `Value`. */
export function titleOf(name: string): string {
  const words = name.match(word) ?? [];
  const title = words.map(
    (each) => `${each.charAt(0).toUpperCase()}${each.slice(1).toLowerCase()}`,
  );
  const joined = title.join('');
  return joined === '' ? 'Value' : leadingDigit.test(joined) ? `N${joined}` : joined;
}

/** The element of a list, by the simplest rule of English; a wrong guess is only a name. */
export function singularOf(name: string): string {
  if (pluralOfY.test(name)) return `${name.slice(0, -3)}y`;
  return plural.test(name) ? name.slice(0, -1) : name;
}
