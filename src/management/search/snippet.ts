/** Shows a found key or value: as it is, or of a long one the surroundings of the match. */
import { searchSnippetCharsMax } from '../../contract/limits.js';
import type { Match } from './search-pattern.js';

export interface Snippet extends Match {
  readonly snippet: string;
}

/** Characters before the match: enough to see what it is part of. */
const charactersBefore = 40;
const ellipsis = '…';

/** Positions count UTF-16 code units. Where something was left out, the snippet has an ellipsis. */
export function snippetOf(characters: string, { at, length }: Match): Snippet {
  if (characters.length <= searchSnippetCharsMax) return { snippet: characters, at, length };
  const start = wholeFrom(characters, Math.max(0, at - charactersBefore));
  const end = wholeTo(characters, Math.min(characters.length, start + searchSnippetCharsMax));
  const before = start === 0 ? '' : ellipsis;
  const after = end === characters.length ? '' : ellipsis;
  const shownAt = before.length + at - start;
  return {
    snippet: `${before}${characters.slice(start, end)}${after}`,
    at: shownAt,
    length: Math.min(length, before.length + end - start - shownAt),
  };
}

/** The position, or the next one if it is in the middle of a character. */
function wholeFrom(characters: string, at: number): number {
  return isLowSurrogate(characters, at) ? at + 1 : at;
}

function wholeTo(characters: string, at: number): number {
  return isLowSurrogate(characters, at) ? at - 1 : at;
}

function isLowSurrogate(characters: string, at: number): boolean {
  const unit = characters.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
