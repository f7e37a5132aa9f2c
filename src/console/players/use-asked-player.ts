/** The player that is looked up, kept in the address of the page as far as it fits. */
import { useState } from 'react';
import { navigate, useLocationProperty } from 'wouter/use-browser-location';
import {
  type AskedPlayer,
  askedOf,
  hashCharsMax,
  hashOf,
} from '../preview/contexts/asked-player.js';

export interface Asked {
  /** Null: nothing has been looked up yet. */
  readonly player: AskedPlayer | null;
  /** Differs at each look-up: "now" is another moment then. */
  readonly turn: number;
  /** Differs where the address changed without the form: the form begins with what it says. */
  readonly form: number;
}

/** @returns what is looked up, and what looks another player up */
export function useAskedPlayer(): readonly [Asked, (player: AskedPlayer) => void] {
  const hash = useLocationProperty(() => window.location.hash);
  const [kept, setKept] = useState(() => ofAddress(hash));
  const ofHash = kept.hash === hash ? kept : ofAddress(hash);
  if (ofHash !== kept) setKept(ofHash);
  const ask = (player: AskedPlayer): void => {
    const { pathname, search } = window.location;
    const wanted = hashOf(player);
    const next = wanted.length > hashCharsMax ? '' : wanted;
    navigate(`${pathname}${search}${next}`, { replace: next === window.location.hash });
    setKept({ player, turn: Date.now(), form: ofHash.form, hash: window.location.hash });
  };
  return [ofHash, ask];
}

function ofAddress(hash: string): Asked & { readonly hash: string } {
  const at = Date.now();
  return { player: askedOf(hash), turn: at, form: at, hash };
}
