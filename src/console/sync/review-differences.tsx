/** The differences of what was chosen, item by item, where it is confirmed. */
import { Accordion, Text } from '@mantine/core';
import { useState } from 'react';
import type { SyncedContent } from '../../contract/operations/sync.js';
import { SyncDifference } from './sync-difference.js';
import { describeChange } from './sync-items.js';

/** The list behind the dialog has all of them. */
const shownMax = 20;

export function ReviewDifferences({ changes }: { readonly changes: readonly SyncedContent[] }) {
  const [open, setOpen] = useState<readonly string[]>(changes.length === 1 ? idsOf(changes) : []);
  return (
    <>
      <Accordion multiple variant="contained" value={[...open]} onChange={setOpen}>
        {changes.slice(0, shownMax).map((change) => (
          <Accordion.Item key={change.id} value={change.id}>
            <Accordion.Control>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {change.id}
              </Text>
              <Text size="xs" c="dimmed">
                {describeChange(change)}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              {open.includes(change.id) && <SyncDifference change={change} />}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {changes.length > shownMax && (
        <Text size="sm" c="dimmed">
          The list behind this dialog shows the differences of the other {changes.length - shownMax}
          .
        </Text>
      )}
    </>
  );
}

function idsOf(changes: readonly SyncedContent[]): readonly string[] {
  return changes.map(({ id }) => id);
}
