/** Remembers, in this browser, the environment that was viewed last. */
const name = 'loadout.environment';

export function lastEnvironment(): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // A browser may forbid storage: nothing is remembered.
    return null;
  }
}

export function rememberEnvironment(env: string): void {
  try {
    localStorage.setItem(name, env);
  } catch {
    // As above.
  }
}
