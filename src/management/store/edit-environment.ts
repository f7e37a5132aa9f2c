/** The first step of every edit: the environment is there, is held, and may be edited by the actor if the edit publishes. */

import { Problem } from '../../contract/problems.js';
import { type Environment, holdEnvironment } from './environments.js';
import type { Actor, UnitOfWork } from './unit-of-work.js';

/** Holds the environment until the transaction ends. */
export async function editEnvironment(
  write: UnitOfWork,
  id: string,
): Promise<Environment | Problem> {
  const environment = await holdEnvironment(write, id);
  if (environment === null) return environmentUnknown(id);
  return rejectProtected(environment, write.actor) ?? environment;
}

/** The first step of an edit that publishes nothing: protection does not forbid it. Holds the environment, too. */
export async function draftEnvironment(
  write: UnitOfWork,
  id: string,
): Promise<Environment | Problem> {
  return (await holdEnvironment(write, id)) ?? environmentUnknown(id);
}

/** Why this person may not edit the environment; null: they may. */
export function rejectProtected(
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
