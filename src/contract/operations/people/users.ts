/** Users of the admin API: the user of the request, and for owners all users. */
import { z } from 'zod';
import { userEnvironmentsMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { environmentIdSchema, nameSchema } from '../../schemas/common.js';
import { meSchema, roleSchema, userParams, userSchema } from '../../schemas/user.js';

const environmentsSchema = z
  .array(environmentIdSchema)
  .max(userEnvironmentsMax)
  .nullable()
  .describe('Ids of environments; null: all.');

export const getMe = operation('GET /me', {
  tag: 'users',
  description: 'The user of the token or the session: their role, the token, and its end.',
  role: 'support',
  scoped: true,
  responses: { 200: meSchema },
});

export const listUsers = operation('GET /users', {
  tag: 'users',
  description: 'All users, by name.',
  role: 'owner',
  responses: { 200: z.object({ users: z.array(userSchema) }) },
});

export const createUser = operation('POST /users', {
  tag: 'users',
  description: 'Makes a user and their first token, which is shown this once.',
  role: 'owner',
  body: z.strictObject({
    name: nameSchema.describe('By which the history and the audit know them.'),
    role: roleSchema,
    environments: environmentsSchema.default(null),
    service: z
      .boolean()
      .default(false)
      .describe('A program, such as CI: it cannot approve releases.'),
  }),
  responses: { 201: userSchema.extend({ token: z.string() }) },
  problems: ['user_exists', 'limit_reached'],
});

export const getUser = operation('GET /users/:userId', {
  tag: 'users',
  description: 'One user.',
  role: 'owner',
  params: userParams,
  responses: { 200: userSchema },
  problems: ['user_not_found'],
});

export const updateUser = operation('PATCH /users/:userId', {
  tag: 'users',
  description:
    'Changes the role, the environments it is for, and whether the user is a program, from the next request on. The last owner of the whole server stays one. The role of a person who signs in through the OpenID provider follows from their groups there.',
  role: 'owner',
  params: userParams,
  body: z.strictObject({
    role: roleSchema.optional(),
    environments: environmentsSchema.optional(),
    service: z.boolean().optional().describe('Whether it is a program.'),
  }),
  responses: { 200: userSchema },
  problems: ['user_not_found', 'last_owner', 'user_of_provider'],
});

export const deleteUser = operation('DELETE /users/:userId', {
  tag: 'users',
  description: 'Removes the user; their tokens are rejected from now on.',
  role: 'owner',
  params: userParams,
  responses: { 200: userSchema },
  problems: ['user_not_found', 'last_owner'],
});
