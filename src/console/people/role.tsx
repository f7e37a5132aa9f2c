/** The roles: a badge of each, and what it may do. */
import { Badge } from '@mantine/core';
import type { User } from '../../contract/schemas/user.js';

export const roles = ['viewer', 'editor', 'owner'] as const satisfies readonly User['role'][];

export const roleTexts: Readonly<Record<User['role'], string>> = {
  viewer: 'Reads content, segments and tests. No activity, webhooks or people.',
  editor: 'Edits content, segments and keys in environments that are not protected.',
  owner: 'Does everything, in protected environments too.',
};

const colourOf = { owner: 'ink', editor: 'teal', viewer: 'gray' } as const;

export function RoleBadge({ role }: { readonly role: User['role'] }) {
  return (
    <Badge variant="dot" color={colourOf[role]}>
      {role}
    </Badge>
  );
}
