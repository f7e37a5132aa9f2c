/** Where configurations are kept. */
import type { Storage } from './platform.js';

/** `localStorage` of a page; null where there is none, or where the page may not use it. */
export function pageStorage(): Storage | null {
  try {
    return typeof document === 'undefined' ? null : localStorage;
  } catch {
    return null;
  }
}

/** For the run only. It holds what a player who comes back had: the kit bounds it as it does each storage. */
export function memoryStorage(): Storage {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => texts.set(name, text),
    removeItem: (name) => texts.delete(name),
  };
}
