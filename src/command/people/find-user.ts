/** Finds a user by what people call them. */

import type { AdminClient } from '../client/admin-client.js';
import { CommandFailure } from '../terminal/failure.js';

/**
 * The id of the user with this id or name. An id wins: it is unique, and a name may look like one.
 * @throws CommandFailure when there is none
 */
export async function findUserId(client: AdminClient, nameOrId: string): Promise<string> {
  const { value } = await client.request('GET /users', {});
  const user =
    value.users.find(({ id }) => id === nameOrId) ??
    value.users.find(({ name }) => name === nameOrId);
  if (user === undefined) throw new CommandFailure(`There is no user "${nameOrId}".`);
  return user.id;
}
