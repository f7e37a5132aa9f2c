/** Asks before what was typed is thrown away. */
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

export function useConfirmDiscard(discard: () => void): () => void {
  return () =>
    modals.openConfirmModal({
      title: 'Discard unsaved changes?',
      children: (
        <Text size="sm">
          What you typed since the last save goes, in all tabs of this content. This cannot be
          undone.
        </Text>
      ),
      labels: { confirm: 'Discard', cancel: 'Keep editing' },
      confirmProps: { color: 'red' },
      onConfirm: discard,
    });
}
