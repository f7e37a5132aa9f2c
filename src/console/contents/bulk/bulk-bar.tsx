/** How many items are selected, and what can be done with all of them. In sight below a list of thousands. */
import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  IconArrowsExchange,
  IconChevronUp,
  IconPencil,
  IconRocket,
  IconTag,
  IconTrash,
} from '../../icons/icons.js';
import { counted } from '../../parts/counted.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import styles from './bulk.module.css';

export type BulkAct = 'set' | 'tags' | 'publish' | 'delete';

/** An environment that the selection can be copied to. */
export interface CopyTarget {
  readonly id: string;
  readonly name: string;
}

export interface BulkBarProps {
  readonly selected: number;
  /** Of these, those that the filters hide. */
  readonly hidden: number;
  /** Of these, those with a draft to publish. */
  readonly drafts: number;
  /** How many match the filters. */
  readonly matching: number;
  /** Why nothing can be changed; null: the user may edit. */
  readonly readOnlyReason: string | null;
  readonly targets: readonly CopyTarget[];
  readonly onAct: (act: BulkAct) => void;
  readonly onCopy: (target: CopyTarget) => void;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

export function BulkBar(props: BulkBarProps) {
  const { selected, hidden, matching, readOnlyReason, onSelectAll, onClear } = props;
  const isNarrow = useIsNarrow();
  if (selected === 0) return <span role="status" />;
  const isAll = selected - hidden === matching;
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      className={styles['bar']}
      component="section"
      aria-label="Selected content items"
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600} role="status">
            {counted(selected, 'item')} selected
            {hidden > 0 && ` (${hidden.toLocaleString('en')} not shown)`}
          </Text>
          {!isAll && (
            <Button size="xs" variant="subtle" onClick={onSelectAll}>
              Select all {matching.toLocaleString('en')} that match
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={onClear}>
            Clear
          </Button>
        </Group>
        {readOnlyReason !== null ? (
          <Text size="sm" c="dimmed">
            {readOnlyReason}
          </Text>
        ) : isNarrow ? (
          <NarrowActs {...props} />
        ) : (
          <WideActs {...props} />
        )}
      </Group>
    </Paper>
  );
}

const iconSize = 16;

interface ShownAct {
  readonly act: BulkAct;
  readonly label: string;
  readonly icon: ReactNode;
  readonly isDisabled?: boolean;
}

function actsOf({ drafts }: Pick<BulkBarProps, 'drafts'>): readonly ShownAct[] {
  return [
    { act: 'set', label: 'Set value…', icon: <IconPencil size={iconSize} aria-hidden /> },
    { act: 'tags', label: 'Tags…', icon: <IconTag size={iconSize} aria-hidden /> },
    {
      act: 'publish',
      label: drafts === 0 ? 'Publish or add to release…' : `Publish or add to release (${drafts})…`,
      icon: <IconRocket size={iconSize} aria-hidden />,
      isDisabled: drafts === 0,
    },
    { act: 'delete', label: 'Delete…', icon: <IconTrash size={iconSize} aria-hidden /> },
  ];
}

function WideActs(props: BulkBarProps) {
  const { onAct, targets } = props;
  return (
    <Group gap="xs">
      {actsOf(props).map(({ act, label, icon, isDisabled = false }) => (
        <Button
          key={act}
          size="xs"
          variant="default"
          leftSection={icon}
          disabled={isDisabled}
          title={isDisabled ? 'None of the selected items has a draft' : undefined}
          onClick={() => onAct(act)}
        >
          {label}
        </Button>
      ))}
      {targets.length > 0 && (
        <Menu position="top-end" shadow="md">
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowsExchange size={iconSize} aria-hidden />}
            >
              Copy to…
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <CopyItems {...props} />
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}

function NarrowActs(props: BulkBarProps) {
  const { onAct, targets } = props;
  return (
    <Menu position="top-end" shadow="md" width={280}>
      <Menu.Target>
        <Button size="xs" rightSection={<IconChevronUp size={iconSize} aria-hidden />}>
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actsOf(props).map(({ act, label, icon, isDisabled = false }) => (
          <Menu.Item key={act} leftSection={icon} disabled={isDisabled} onClick={() => onAct(act)}>
            {label}
          </Menu.Item>
        ))}
        {targets.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Label>Copy to</Menu.Label>
            <CopyItems {...props} />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function CopyItems({ targets, onCopy }: Pick<BulkBarProps, 'targets' | 'onCopy'>) {
  return targets.map((target) => (
    <Menu.Item key={target.id} onClick={() => onCopy(target)}>
      {target.name}
    </Menu.Item>
  ));
}
