/** A token as the admin API shows it: everything but the token. */
import { z } from 'zod';
import type { Token } from '../store/tokens.js';
import { toIso } from '../to-iso.js';

export const tokenSchema = z.object({
  id: z.string(),
  label: z.string(),
  prefix: z.string().describe('The first characters of the token.'),
  source: z
    .enum(['made', 'environment'])
    .describe('`environment`: it is LOADOUT_ADMIN_TOKEN of the server.'),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable().describe('To the minute or so; null: never.'),
});
tokenSchema.register(z.globalRegistry, { id: 'Token' });

export function tokenJson(token: Token): z.infer<typeof tokenSchema> {
  return {
    id: token.id,
    label: token.label,
    prefix: token.prefix,
    source: token.source,
    createdAt: toIso(token.createdAtMs),
    lastUsedAt: toIso(token.lastUsedAtMs),
  };
}
