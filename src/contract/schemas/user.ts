/** Users of the admin API and their tokens, as users, tokens and sessions show them. */
import { z } from 'zod';
import { roles } from '../operation.js';

export const roleSchema = z
  // The documents list them from the most rights to the fewest.
  .enum(roles.toReversed())
  .describe(
    '`support` looks up players and sees nothing else, a viewer reads, an editor edits, an owner does everything.',
  );

export const userSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: roleSchema,
    environments: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe(
        'The role is for these environments only; null: for all, and for the server itself.',
      ),
    service: z.boolean().describe('A program, such as CI: it cannot approve releases.'),
    origin: z
      .enum(['local', 'provider'])
      .describe(
        '`provider`: a person who signs in through the OpenID provider, whose groups give the role.',
      ),
    createdAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'User' });

export type User = z.output<typeof userSchema>;

export const userParams = z.object({ userId: z.string().describe('Id of the user.') });

export const tokenSchema = z
  .object({
    id: z.string(),
    label: z.string(),
    prefix: z.string().describe('The first characters of the token.'),
    source: z
      .enum(['made', 'environment', 'provider'])
      .describe(
        '`environment`: it is LOADOUT_ADMIN_TOKEN of the server. `provider`: it stands for sign-in through the OpenID provider; it has no text.',
      ),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable().describe('To the minute or so; null: never.'),
  })
  .register(z.globalRegistry, { id: 'Token' });

export type Token = z.output<typeof tokenSchema>;

export const sessionEndSchema = z
  .string()
  .describe('The session ends then unless it is used before; RFC 3339.');

export const meSchema = userSchema
  .extend({
    token: tokenSchema,
    session: z
      .object({ expiresAt: sessionEndSchema })
      .nullable()
      .describe('Of the cookie; null: the request came with a token.'),
  })
  .register(z.globalRegistry, { id: 'Me' });

export type Me = z.output<typeof meSchema>;
