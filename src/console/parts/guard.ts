/**
 * What a protected environment asks of those who change it (D68). Dangerous is what takes something live away from
 * players, or changes many contents at once: for that its name is typed. All else that players get says where they do.
 */
import { useEnvironment } from './environments.js';

export interface Guard {
  readonly isProtected: boolean;
  /** The environment's name for people. */
  readonly name: string;
  /** What is typed before a dangerous act; null: nothing is. */
  readonly typed: string | null;
  /** Of buttons that change what players get; undefined: the usual one. */
  readonly color: 'guard' | undefined;
}

export function useGuard(env: string): Guard {
  const environment = useEnvironment(env);
  const isProtected = environment?.protected === true;
  return {
    isProtected,
    name: environment?.name || env,
    // Where it is not known yet whether it is protected, the name is asked for.
    typed: environment?.protected === false ? null : env,
    color: isProtected ? 'guard' : undefined,
  };
}
