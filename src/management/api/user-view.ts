/** A user as the admin API shows them. */
import { z } from 'zod';
import type { User } from '../store/users.js';
import { toIso } from '../to-iso.js';

export const roleSchema = z
  .enum(['owner', 'editor', 'viewer'])
  .describe('A viewer reads, an editor edits, an owner does everything.');

export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: roleSchema,
  environments: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe('The role is for these environments only; null: for all, and for the server itself.'),
  createdAt: z.string(),
});
userSchema.register(z.globalRegistry, { id: 'User' });

export function userJson(user: User): z.infer<typeof userSchema> {
  const { id, name, role, environments, createdAtMs } = user;
  return { id, name, role, environments, createdAt: toIso(createdAtMs) };
}
