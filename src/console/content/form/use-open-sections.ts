/** Which sections of a form are open, and which page of long ones is shown. */
import { useState } from 'react';
import { tokensOf } from '../../../content/json/pointer-text.js';
import type { FormShared } from './form-context.js';
import { pageSize } from './page-buttons.js';

/** @param pointer of a section that is open to begin with, along with those around it */
export function useOpenSections(
  pointer: string | null,
  onPointer: (pointer: string) => void,
): Pick<FormShared, 'isOpen' | 'setOpen' | 'pageOf' | 'setPage'> {
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(
    () => new Map(around(pointer)),
  );
  const [pages, setPages] = useState<ReadonlyMap<string, number>>(() => new Map(pagesTo(pointer)));
  return {
    isOpen: (place, byDefault) => opened.get(place) ?? byDefault,
    setOpen: (place, isOpen) => {
      setOpened((before) => new Map(before).set(place, isOpen));
      if (isOpen) onPointer(place);
    },
    pageOf: (place) => pages.get(place) ?? 0,
    setPage: (place, page) => setPages((before) => new Map(before).set(place, page)),
  };
}

function prefixes(pointer: string | null): string[] {
  const tokens = tokensOf(pointer) ?? [];
  const names = pointer?.split('/').slice(1) ?? [];
  return tokens.map((_, level) =>
    names
      .slice(0, level + 1)
      .map((name) => `/${name}`)
      .join(''),
  );
}

function around(pointer: string | null): [string, boolean][] {
  return prefixes(pointer).map((place) => [place, true]);
}

/** The page of each list that the element on the way is on. */
function pagesTo(pointer: string | null): [string, number][] {
  return prefixes(pointer).flatMap((place): [string, number][] => {
    const cut = place.lastIndexOf('/');
    const index = Number(place.slice(cut + 1));
    return Number.isInteger(index) ? [[place.slice(0, cut), Math.floor(index / pageSize)]] : [];
  });
}
