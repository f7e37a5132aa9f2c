/** Sees to it at every start that somebody can sign in as owner of the whole server. */
import { hashSecret } from '../secret.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { insertToken, insertTokenRow } from './tokens.js';
import { insertUser, insertUserRow, type User, userOf } from './users.js';

const ownerName = 'owner';

/**
 * @param given LOADOUT_ADMIN_TOKEN: becomes the token of the user `owner`, instead of the one given before
 * @param keep takes a token that is made; the user does not come to be if it throws, so the token is never lost
 * @returns the token that was made because there was no user at all, or null
 */
export async function ensureOwner(
  write: UnitOfWork,
  given: string | undefined,
  keep: (token: string) => void,
): Promise<string | null> {
  if (given !== undefined) {
    await takeGivenToken(write, given);
    return null;
  }
  const anybody = await write.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (anybody !== undefined) return null;
  const owner = await insertUser(write, { name: ownerName, role: 'owner', environments: null });
  if (owner === null) return null;
  const { text } = await insertToken(write, owner, 'first start');
  keep(text);
  return text;
}

async function takeGivenToken(write: UnitOfWork, given: string): Promise<void> {
  const owner = await findOrMakeOwner(write);
  if (owner === null) return;
  const hash = hashSecret(given);
  const before = await write.db
    .selectFrom('tokens')
    .select(['id', 'hash'])
    .where('source', '=', 'environment')
    .execute();
  const isWhole = owner.role === 'owner' && owner.environments === null;
  if (before.length === 1 && before[0]?.hash === hash && isWhole) return;
  // The name may be of somebody with lesser rights: who sets the server's environment owns it.
  await write.db
    .updateTable('users')
    .set({ role: 'owner', environments: null })
    .where('id', '=', owner.id)
    .execute();
  await write.db
    .deleteFrom('tokens')
    .where((where) => where.or([where('source', '=', 'environment'), where('hash', '=', hash)]))
    .execute();
  await insertTokenRow(write, owner.id, {
    text: given,
    label: 'LOADOUT_ADMIN_TOKEN',
    source: 'environment',
  });
  const rights = { role: owner.role, environments: owner.environments };
  await write.audit('user.token', '', owner.id, {
    source: 'environment',
    before: rights,
    after: { role: 'owner', environments: null },
  });
}

async function findOrMakeOwner(write: UnitOfWork): Promise<User | null> {
  const row = await write.db
    .selectFrom('users')
    .selectAll()
    .where('name', '=', ownerName)
    .executeTakeFirst();
  if (row !== undefined) return userOf(row);
  return insertUserRow(write, { name: ownerName, role: 'owner', environments: null });
}
