/** The keys that work on the screen that is shown, and everywhere. */
import { Group, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../parts/dialog.js';
import { Keys } from './keys.js';
import { offeredShortcuts, type Shortcut } from './use-commands.js';

const everywhere: readonly Shortcut[] = [
  { keys: ['mod+K'], does: 'Find something, or do it' },
  { keys: ['Escape'], does: 'Close a dialog or a menu' },
];

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  // As they are now: the dialog covers the screen.
  const [shortcuts] = useState(() => [...everywhere, ...offeredShortcuts()]);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Stack gap="sm">
        <Table aria-label="Keyboard shortcuts">
          <Table.Tbody>
            {shortcuts.map(({ keys, does }) => (
              <Table.Tr key={does}>
                <Table.Th scope="row" fw={400}>
                  {does}
                </Table.Th>
                <Table.Td>
                  <Group gap="sm" justify="flex-end">
                    {keys.map((each) => (
                      <Keys key={each} keys={each} />
                    ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          Everything else is reached with Tab and the arrow keys.
        </Text>
      </Stack>
    </Dialog>
  );
}
