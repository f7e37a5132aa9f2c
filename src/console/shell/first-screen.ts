/** Where an environment opens. Pure. */
import type { User } from '../../contract/schemas/user.js';
import { pathOf } from '../parts/environments.js';

/** Its overview; for the role support, the one screen that it may see. */
export function firstScreenOf(env: string, role: User['role']): string {
  return role === 'support' ? pathOf.players(env) : pathOf.overview(env);
}
