/** The mark of a protected environment. */
import { Badge, Tooltip } from '@mantine/core';
import { IconLock } from '../icons/icons.js';

export function ProtectedBadge() {
  return (
    <Tooltip label="Only owners can change it.">
      <Badge variant="default" leftSection={<IconLock size={12} aria-hidden />}>
        Protected
      </Badge>
    </Tooltip>
  );
}
