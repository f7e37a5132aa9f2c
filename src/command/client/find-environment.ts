/** Asks the server about one environment. */

import type { Environment } from '../../contract/operations/environments.js';
import type { AdminClient } from './admin-client.js';

/** @throws CommandFailure when there is none of that name */
export async function findEnvironment(client: AdminClient, id: string): Promise<Environment> {
  const { value } = await client.request('GET /environments/:env', { params: { env: id } });
  return value;
}
