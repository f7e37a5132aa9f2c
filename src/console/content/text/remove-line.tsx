/** Asks before a line is taken out of the draft, and says who gets what then. */
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { VersionLine } from '../../draft/draft.js';

export function confirmRemoveLine(
  lines: readonly VersionLine[],
  appVersion: string,
  onConfirm: () => void,
): void {
  const index = lines.findIndex((line) => line.appVersion === appVersion);
  const below = lines[index - 1];
  modals.openConfirmModal({
    title: `Remove the line ${appVersion}?`,
    children: (
      <Text size="sm">
        {below === undefined
          ? 'It is the lowest line: app versions below the next one will get a 404.'
          : `Its players will get the line ${below.appVersion}.`}{' '}
        Nothing changes for players until you publish, and the history keeps its text.
      </Text>
    ),
    labels: { confirm: 'Remove the line', cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm,
  });
}
