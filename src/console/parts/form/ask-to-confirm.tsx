/** Asks for confirmation of something that a click cannot undo. */
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { findOpeners, giveFocusBack } from '../focus-return.js';

export interface Question {
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly text: string;
  /** On the button that does it. */
  readonly confirm: string;
  readonly color?: string;
  readonly onConfirm: () => void;
}

/** Longer than Mantine takes to fade a dialog out. */
const fadeMs = 300;

export function askToConfirm({ title, text, confirm, color, onConfirm }: Question): void {
  const openers = findOpeners();
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm, cancel: 'Cancel' },
    confirmProps: color === undefined ? {} : { color },
    onConfirm,
    onClose: () => giveFocusBack(openers, fadeMs),
  });
}
