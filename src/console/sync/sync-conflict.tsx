/** Marks what was edited in the target of a sync. */
import { Badge } from '@mantine/core';
import type { SyncedContent } from '../../contract/operations/sync.js';
import { IconAlertTriangle } from '../icons/icons.js';
import { When } from '../parts/time/when.js';

export function ConflictBadge() {
  return (
    <Badge
      variant="default"
      size="sm"
      leftSection={
        <IconAlertTriangle size={12} color="var(--mantine-color-orange-6)" aria-hidden />
      }
    >
      conflict
    </Badge>
  );
}

/** Such as " by Nora, 5 hours ago"; nothing where it is not known. */
export function SavedBy({ edited }: Pick<SyncedContent, 'edited'>) {
  if (edited === null) return null;
  return (
    <>
      {' '}
      by <strong>{edited.author}</strong>, <When at={edited.at} span />
    </>
  );
}
