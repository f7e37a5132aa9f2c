/** The first step of every edit: the environment is there, may be edited by who asks, and is held. */

import { Problem } from '../../contract/problems.js';
import { type Environment, holdEnvironment } from './environments.js';
import type { Actor, Write } from './write.js';

/** Holds the environment until the transaction ends. */
export async function editEnvironment(write: Write, id: string): Promise<Environment | Problem> {
  const environment = await holdEnvironment(write, id);
  if (environment === null) return environmentUnknown(id);
  return refuseProtected(environment, write.actor) ?? environment;
}

/** Why this person may not edit the environment; null: they may. */
export function refuseProtected(
  { id, protected: isProtected }: Environment,
  { role }: Pick<Actor, 'role'>,
): Problem | null {
  if (!isProtected || role === 'owner') return null;
  return new Problem(
    'forbidden',
    `The environment "${id}" is protected: only an owner may edit it.`,
  );
}

export function environmentUnknown(id: string): Problem {
  return new Problem('environment_not_found', `There is no environment "${id}".`);
}
