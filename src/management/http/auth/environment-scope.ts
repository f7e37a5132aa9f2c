/** Which environments a user's role is for. */
import type { User } from '../../store/users/users.js';

/** A user without a list sees all. */
export function seesEnvironment(user: Pick<User, 'environments'> | null, id: string): boolean {
  if (user === null) return false;
  return user.environments === null || user.environments.includes(id);
}
