/** The view of the list, kept in the page's address for links and for going back. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type ListView, readView, writeView } from './list-view.js';

// Browsers limit how often a page may change its address.
const writeAfterMs = 300;

export function useListView(): readonly [ListView, (change: Partial<ListView>) => void] {
  const [params, setParams] = useSearchParams();
  const address = params.toString();
  const [view, setView] = useState(() => readView(params));
  const written = useRef(address);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The user went back, or followed a link to another view.
  useEffect(() => {
    if (address === written.current) return;
    written.current = address;
    clearTimeout(timer.current);
    setView(readView(new URLSearchParams(address)));
  }, [address]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const latest = useRef({ view, setParams });
  useLayoutEffect(() => {
    latest.current = { view, setParams };
  }, [view, setParams]);
  // A stable function, so that components that receive it do not render with every key.
  const change = useCallback((part: Partial<ListView>): void => {
    const next = { ...latest.current.view, ...part };
    latest.current.view = next;
    setView(next);
    clearTimeout(timer.current);
    const path = window.location.pathname;
    const write = (): void => {
      // The user left for another screen whose code is still loading; this one is shown until then.
      if (window.location.pathname !== path) return;
      const wanted = writeView(next);
      written.current = wanted.toString();
      latest.current.setParams(wanted, { replace: true });
    };
    if (part.query === undefined) write();
    else timer.current = setTimeout(write, writeAfterMs);
  }, []);
  return [view, change];
}
