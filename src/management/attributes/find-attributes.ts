/** Which attributes of users a stored text names: a mapping's own conditions, a saved condition, or a user context. */
import { attributeUses, mergeUses } from '../contents/warnings/attribute-uses.js';
import { ownConditions } from '../contents/warnings/own-conditions.js';

export type NamingText =
  | { readonly kind: 'mapping'; readonly text: Uint8Array }
  /** JSON text. */
  | { readonly kind: 'condition' | 'context'; readonly text: string };

/** Names as the game sends them, each once. Of an invalid text: none. */
export function findAttributes(naming: NamingText): string[] {
  try {
    switch (naming.kind) {
      case 'mapping': {
        const conditions = ownConditions(naming.text).filter((condition) => condition !== null);
        return namesOf(conditions);
      }
      case 'condition':
        return namesOf([JSON.parse(naming.text)]);
      case 'context': {
        const { p = {} }: { p?: object } = JSON.parse(naming.text);
        return Object.keys(p);
      }
    }
  } catch {
    return [];
  }
}

function namesOf(conditions: readonly unknown[]): string[] {
  const uses = mergeUses(conditions.map((condition) => attributeUses(condition, '')));
  return uses.map(({ attribute }) => attribute);
}
