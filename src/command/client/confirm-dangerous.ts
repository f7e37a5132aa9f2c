/**
 * The one rule for dangerous acts (D68): an act that takes something live from the players of a protected environment, or
 * changes many of its contents at once, asks for the environment's name, or `--yes`. Elsewhere a command asks only what
 * it always asks.
 */

import type { Environment } from '../../contract/operations/environments.js';
import { confirm } from '../terminal/confirm.js';
import { type AdminClient, checkName } from './admin-client.js';

interface DangerousAct {
  readonly client: AdminClient;
  readonly env: string;
  /** What it is done to. */
  readonly name: string;
  /** `--yes`: do not ask. */
  readonly yes: boolean | undefined;
  /** What is about to happen, in one sentence; null: nothing dangerous. Called only for a protected environment. */
  readonly describe: () => Promise<string | null> | string | null;
}

/** @throws CommandFailure when no path can hold the name, when the environment's was not typed, or when there is no person to type it */
export async function confirmDangerous({
  client,
  env,
  name,
  yes,
  describe,
}: DangerousAct): Promise<void> {
  checkName(name);
  if (yes) return;
  const environment = await findEnvironment(client, env);
  if (!environment.protected) return;
  const question = await describe();
  if (question === null) return;
  await confirm(`${question} ${env} is protected.`, environment.id, false);
}

/** The word to type before an act that asks in every environment. */
export function wordFor(environment: Environment): string {
  return environment.protected ? environment.id : 'yes';
}

/** @throws CommandFailure when there is no environment with this id */
export async function findEnvironment(client: AdminClient, id: string): Promise<Environment> {
  const { value } = await client.request('GET /environments/:env', { params: { env: id } });
  return value;
}
