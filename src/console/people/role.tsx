/** The roles: a badge of each, and what it may do. */
import { Badge } from '@mantine/core';
import type { User } from '../../contract/schemas/user.js';

export const roles = [
  'support',
  'viewer',
  'editor',
  'owner',
] as const satisfies readonly User['role'][];

export const roleTexts: Readonly<Record<User['role'], string>> = {
  support:
    'Looks up what a player was given: on the screen Players, by command or API. Sees nothing else.',
  viewer: 'Reads content, segments, experiments and releases. No webhooks or people.',
  editor: 'Edits content, segments and keys in environments that are not protected.',
  owner: 'Does everything, in protected environments too.',
};

const colourOf = { owner: 'ink', editor: 'teal', viewer: 'gray', support: 'gray' } as const;

export function RoleBadge({ role }: { readonly role: User['role'] }) {
  return (
    <Badge variant="dot" color={colourOf[role]}>
      {role}
    </Badge>
  );
}
