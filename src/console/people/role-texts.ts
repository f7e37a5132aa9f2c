/** What each role may do, in words. */
import type { User } from '../../contract/schemas/user.js';

export const roles = ['viewer', 'editor', 'owner'] as const satisfies readonly User['role'][];

export const roleTexts: Readonly<Record<User['role'], string>> = {
  viewer: 'Sees everything, and changes nothing.',
  editor: 'Edits contents, segments and keys, in environments that are not protected.',
  owner: 'Does everything, in protected environments too.',
};
