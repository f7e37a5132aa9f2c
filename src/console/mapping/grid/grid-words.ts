/** What the grid says of places and edits. */
import type { NotMergeable } from '../../../content/derive/derive-mutation.js';
import type { Tokens } from '../../../content/derive/plain-value.js';
import type { WantedValue } from '../../../content/derive/set-cell.js';
import { pointerText } from '../../../content/json/pointer-text.js';

export function describePlace(tokens: Tokens): string {
  return tokens.length === 0 ? 'The whole text' : pointerText(tokens);
}

export function describeWanted(wanted: WantedValue): string {
  switch (wanted.kind) {
    case 'value':
      return `is ${wanted.source.length > 60 ? `${wanted.source.slice(0, 60)}…` : wanted.source}`;
    case 'removed':
      return 'is removed';
    case 'base':
      return 'has the base value';
  }
}

/** Why a merge patch had to become a list of operations. */
export function describeConversion(reason: NotMergeable, name: string): string {
  const why =
    reason === 'null'
      ? 'A merge patch cannot set null: it would remove the member.'
      : 'A merge patch cannot set one element of a list: it would replace the list.';
  return `${why} The change of ${name} is now a JSON Patch, which applies only where its places exist.`;
}
