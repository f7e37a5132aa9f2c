/**
 * The protection of an environment (D68). Dangerous changes take something live away from players, or change many
 * content items at once: they require typing the environment's name. Other changes only name the environment.
 */

import { useEnvironment, useEnvironments } from './environments.js';
import { coloursOf, type EnvironmentColour } from './place/environment-colour.js';

export interface Guard {
  readonly isProtected: boolean;
  /** The environment's name for people. */
  readonly name: string;
  /** The text to type before a dangerous change; null: none. */
  readonly typed: string | null;
  /** Of buttons that change what players get; undefined: the usual one. */
  readonly color: 'guard' | undefined;
}

/** Null until the environments are known. */
export function useEnvironmentColour(env: string): EnvironmentColour | null {
  return coloursOf(useEnvironments().data ?? []).get(env) ?? null;
}

export function useGuard(env: string): Guard {
  const environment = useEnvironment(env);
  const isProtected = environment?.protected === true;
  return {
    isProtected,
    name: environment?.name || env,
    // Until the protection is known, the name is required.
    typed: environment?.protected === false ? null : env,
    color: isProtected ? 'guard' : undefined,
  };
}
