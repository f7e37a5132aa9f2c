/** Asks the server about one environment. */

import { type AdminClient, adminPath } from './admin-client.js';
import type { EnvironmentAnswer } from './answers.js';

/** @throws CommandFailure when there is none of that name */
export async function findEnvironment(client: AdminClient, id: string): Promise<EnvironmentAnswer> {
  const answer = await client.call<EnvironmentAnswer>('GET', adminPath('environments', id));
  return answer.value;
}
