/** What somebody may do, as a mark. */
import { Badge } from '@mantine/core';
import type { User } from '../../contract/schemas/user.js';

const colourOf = { owner: 'ink', editor: 'teal', viewer: 'gray' } as const;

export function RoleBadge({ role }: { readonly role: User['role'] }) {
  return (
    <Badge variant="dot" color={colourOf[role]}>
      {role}
    </Badge>
  );
}
