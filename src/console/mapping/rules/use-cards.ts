/** The rules of the open content item as cards; every edit goes into the draft at once. */
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useDraft } from '../../draft/draft-context.js';
import { addRule, type Cards, openCards } from './cards-state.js';

export interface NewRule {
  readonly index: number;
  readonly source: string;
}

export interface CardsHandle {
  /** Null: the text cannot be shown as rules. */
  readonly cards: Cards | null;
  /** Changes the newest state of the cards, even one that is not rendered yet. */
  readonly edit: (change: (cards: Cards) => Cards) => void;
  /** Adds the rule that `make` gives, before the rule at its place; returns the key of the new one. */
  readonly add: (make: (cards: Cards) => NewRule) => string;
}

export function useCards(): CardsHandle {
  const { state, change: changeDraft } = useDraft();
  const text = state.mapping;
  const [seen, setSeen] = useState(text);
  const [cards, setCards] = useState(() => openCards(text, null));
  const latest = useRef(cards);
  if (seen !== text) {
    setSeen(text);
    // Changed elsewhere: in the JSON view, by a discard or by a merge.
    if (cards?.text !== text) setCards(openCards(text, cards));
  }
  useLayoutEffect(() => {
    latest.current = cards;
  }, [cards]);
  const edit = useCallback(
    (change: (cards: Cards) => Cards) => {
      if (latest.current === null) return;
      const next = change(latest.current);
      if (next === latest.current) return;
      latest.current = next;
      setCards(next);
      changeDraft({ mapping: next.text });
    },
    [changeDraft],
  );
  const add = (make: (now: Cards) => NewRule): string => {
    let key = '';
    edit((now) => {
      const { index, source } = make(now);
      const [next, added] = addRule(now, Math.min(index, now.keys.length), source);
      key = added;
      return next;
    });
    return key;
  };
  return { cards, edit, add };
}
