/** Which environments a user's role is for. */
import type { User } from '../../store/users/users.js';

/** A user without a list sees all. */
export function seesEnvironment(user: Pick<User, 'environments'> | null, id: string): boolean {
  if (user === null) return false;
  return user.environments === null || user.environments.includes(id);
}

/** Owners of some environments only do not run the server. */
export function mayOperate({ role, environments }: Pick<User, 'role' | 'environments'>): boolean {
  return role === 'owner' && environments === null;
}
