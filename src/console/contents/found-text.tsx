/** A text with the words of a search marked in it. */
import { Fragment } from 'react';
import styles from './contents.module.css';

export interface FoundTextProps {
  readonly text: string;
  /** In lower case. */
  readonly words: readonly string[];
}

export function FoundText({ text, words }: FoundTextProps) {
  if (words.length === 0) return text;
  return piecesOf(text, words).map(({ start, piece, isFound }) =>
    isFound ? (
      <mark key={start} className={styles['found']}>
        {piece}
      </mark>
    ) : (
      <Fragment key={start}>{piece}</Fragment>
    ),
  );
}

interface Piece {
  readonly start: number;
  readonly piece: string;
  readonly isFound: boolean;
}

function piecesOf(text: string, words: readonly string[]): Piece[] {
  const lower = text.toLowerCase();
  // Some letters are longer in lower case, which shifts the positions.
  if (lower.length !== text.length) return [{ start: 0, piece: text, isFound: false }];
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const next = nextFound(lower, words, at);
    const end = next === null ? text.length : next.start;
    if (end > at) pieces.push({ start: at, piece: text.slice(at, end), isFound: false });
    if (next === null) break;
    const piece = text.slice(next.start, next.start + next.length);
    pieces.push({ start: next.start, piece, isFound: true });
    at = next.start + next.length;
  }
  return pieces;
}

function nextFound(
  lower: string,
  words: readonly string[],
  from: number,
): { readonly start: number; readonly length: number } | null {
  let best: { start: number; length: number } | null = null;
  for (const word of words) {
    const start = lower.indexOf(word, from);
    if (start < 0) continue;
    const isBetter =
      best === null || start < best.start || (start === best.start && word.length > best.length);
    if (isBetter) best = { start, length: word.length };
  }
  return best;
}
