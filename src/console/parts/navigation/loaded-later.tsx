/** A screen or a view whose code is loaded when it is first shown, or before. */
import { type ComponentType, lazy, useState } from 'react';

export interface LoadedLater<Props> {
  (props: Props): React.ReactNode;
  /** Loads its code, so that it then appears at once. Rejects where the code cannot be loaded. */
  preload(): Promise<unknown>;
}

/**
 * `lazy` alone shows its fallback for 300 ms even if the code is loaded: React delays what follows a fallback.
 * @param load imports the component
 */
export function loadedLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LoadedLater<Props> {
  let loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Lazy = lazy(preload) as unknown as ComponentType<Props>;
  const Later = (props: Props): React.ReactNode => {
    // Stays the same while it is shown: another component would start with fresh state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return <Shown {...props} />;
  };
  return Object.assign(Later, { preload });
}

/** Loads the code of what most people open next, once the page is idle. */
export function preloadWhenIdle(...next: readonly LoadedLater<never>[]): void {
  const load = (): void => {
    // After a failure it is loaded when it is shown.
    void Promise.all(next.map((each) => each.preload())).catch(() => {});
  };
  if (typeof requestIdleCallback === 'function') requestIdleCallback(load, { timeout: 3_000 });
  else setTimeout(load, 1_000);
}
