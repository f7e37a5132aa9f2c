/** Two edits of one thing: what each changed, what the merge makes of them, and the choices where both changed one value. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import type { PartMerge } from '../draft/merge-content.js';
import { counted } from '../parts/counted.js';
import { Dialog } from '../parts/dialog.js';
import styles from '../parts/dialog-foot.module.css';
import { useIsNarrow } from '../parts/use-is-narrow.js';
import { MergedPart } from './merged-part.js';
import { PartAccordion } from './part-accordion.js';
import type { Merge } from './use-merge.js';

const openMax = 2;

export interface MergeDialogProps {
  /** Of what there are two edits, for the title: `content item`. */
  readonly what: string;
  /** Who saved meanwhile. */
  readonly author: string;
  /** What was saved, for sentences: `revision 4`. */
  readonly saved: string;
  readonly merge: Merge;
  /** What was saved since the edit was begun. */
  readonly children: ReactNode;
  readonly onMerged: () => void;
  /** The typed edit is discarded. */
  readonly onTheirs: () => void;
  readonly onClose: () => void;
}

export function MergeDialog(props: MergeDialogProps) {
  const { what, author, saved, merge, children, onMerged, onTheirs, onClose } = props;
  const { parts, conflictCount, openCount } = merge;
  const open = parts.filter(({ conflicts }) => conflictCount === 0 || conflicts.length > 0);
  const keepTheirs = (): void => {
    modals.openConfirmModal({
      title: 'Discard your edits?',
      children: (
        <Text size="sm">
          The editor then has {saved} as {author} saved it. This cannot be undone.
        </Text>
      ),
      labels: { confirm: `Keep ${author}’s, discard mine`, cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      zIndex: 300,
      onConfirm: onTheirs,
    });
  };
  return (
    <Dialog
      onClose={onClose}
      title={`Two edits of the same ${what}`}
      size="90rem"
      fullScreen={useIsNarrow()}
      closeOnClickOutside={false}
    >
      <Stack>
        {children}
        <Text size="sm" role="status">
          {summaryOf(merge)}
        </Text>
        <PartAccordion
          items={parts.map((part) => ({
            name: part.name,
            badges: badgesOf(part, author),
            isOpen: open.slice(0, openMax).includes(part),
            panel: <MergedPart part={part} author={author} merge={merge} />,
          }))}
        />
        <Group justify="flex-end" className={styles['foot'] ?? ''}>
          <Button variant="default" onClick={onClose}>
            Decide later
          </Button>
          <Button variant="default" onClick={keepTheirs}>
            Keep {author}’s
          </Button>
          <Button onClick={onMerged} disabled={openCount > 0}>
            Use merged
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function summaryOf({ conflictCount, openCount }: Merge): string {
  if (conflictCount === 0) return 'You changed different values, so both edits are kept.';
  const rest = 'All other changes are merged.';
  return openCount === 0
    ? `Every conflict is decided. ${rest}`
    : `Both of you changed ${counted(conflictCount, 'value')}. Choose what to keep: ${openCount} to go. ${rest}`;
}

function badgesOf({ isTheirs, isMine, conflicts }: PartMerge, author: string) {
  return [
    ...(isTheirs ? [{ color: 'orange', label: `changed by ${author}` }] : []),
    ...(isMine ? [{ color: 'blue', label: 'changed by you' }] : []),
    ...(conflicts.length > 0
      ? [{ color: 'red', label: counted(conflicts.length, 'conflict') }]
      : []),
  ];
}
