/** Ensures at every start that an owner of the whole server can sign in. */
import { givenTokenCharsMax, givenTokenCharsMin } from '../../../contract/limits.js';
import { hashSecret } from '../secret.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { insertToken, insertTokenRow } from './tokens.js';
import { countUsers, findUserByName, insertUser, insertUserRow, type User } from './users.js';

const ownerName = 'owner';
const wholeServer = { role: 'owner', environments: null } as const;
const firstOwner = { name: ownerName, ...wholeServer, service: false } as const;

/** The given token does not have the form of one. */
export class GivenTokenInvalid extends Error {
  readonly code = 'given_token_invalid';

  constructor() {
    super(
      `An admin token must be ${givenTokenCharsMin} to ${givenTokenCharsMax} visible ASCII characters without spaces.`,
    );
    this.name = 'GivenTokenInvalid';
  }
}

const givenForm = new RegExp(`^[\\x21-\\x7e]{${givenTokenCharsMin},${givenTokenCharsMax}}$`);

/** @throws GivenTokenInvalid */
export function expectToken(given: string): void {
  if (!givenForm.test(given)) throw new GivenTokenInvalid();
}

/**
 * @param given LOADOUT_ADMIN_TOKEN: becomes the token of the user `owner`, instead of the one given before
 * @param keep takes a token that is made; the user does not come to be if it throws, so the token is never lost
 * @returns the token that was made because there was no user at all, or null
 */
export async function ensureOwner(
  write: UnitOfWork,
  given: string | undefined,
  keep: (token: string) => void = () => undefined,
): Promise<string | null> {
  if (given !== undefined) {
    await takeGivenToken(write, given);
    return null;
  }
  if ((await countUsers(write.db)) > 0) return null;
  const owner = await insertUser(write, firstOwner);
  if (owner === null) return null;
  const { text } = await insertToken(write, owner, 'first start');
  keep(text);
  return text;
}

async function takeGivenToken(write: UnitOfWork, given: string): Promise<void> {
  const owner = await findOrMakeOwner(write);
  if (owner === null) return;
  const hash = hashSecret(given);
  const earlier = await write.db
    .selectFrom('tokens')
    .select(['id', 'hash'])
    .where('source', '=', 'environment')
    .execute();
  const isWhole = owner.role === 'owner' && owner.environments === null;
  if (earlier.length === 1 && earlier[0]?.hash === hash && isWhole) return;
  // A user of that name may have lesser rights: the operator who sets the environment variable owns the server.
  await write.db.updateTable('users').set(wholeServer).where('id', '=', owner.id).execute();
  await write.db
    .deleteFrom('tokens')
    .where((where) => where.or([where('source', '=', 'environment'), where('hash', '=', hash)]))
    .execute();
  const token = { text: given, label: 'LOADOUT_ADMIN_TOKEN', source: 'environment' } as const;
  await insertTokenRow(write, owner.id, token);
  const before = { role: owner.role, environments: owner.environments };
  const details = { source: 'environment', before, after: wholeServer };
  await write.audit('user.token', '', owner.id, details);
}

async function findOrMakeOwner(write: UnitOfWork): Promise<User | null> {
  return (await findUserByName(write.db, ownerName)) ?? (await insertUserRow(write, firstOwner));
}
