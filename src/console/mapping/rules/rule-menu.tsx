/** What can be done with a rule as a whole. */
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowsSplit,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconFlag,
  IconTrash,
} from '@tabler/icons-react';
import type { RuleHandle } from './rule-handle.js';

export interface RuleMenuProps {
  readonly handle: RuleHandle;
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
  readonly onMakeTest: () => void;
  /** Everybody in the segment gets what that variant got. */
  readonly onEndTest: (variant: number) => void;
}

const size = 16;

export function RuleMenu(props: RuleMenuProps) {
  const { handle, isLast, onMove, onDuplicate, onRemove, onMakeTest, onEndTest } = props;
  const { index, rule } = handle;
  const variants = Array.isArray(rule.variants) ? rule.variants : [];
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Actions of rule ${index + 1}, ${rule.segment}`}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconArrowUp size={size} aria-hidden />}
          disabled={index === 0}
          onClick={() => onMove(-1)}
        >
          Move up
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={size} aria-hidden />}
          disabled={isLast}
          onClick={() => onMove(1)}
        >
          Move down
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={size} aria-hidden />} onClick={onDuplicate}>
          Duplicate
        </Menu.Item>
        {rule.variants === null && (
          <Menu.Item leftSection={<IconArrowsSplit size={size} aria-hidden />} onClick={onMakeTest}>
            Turn into an A/B test
          </Menu.Item>
        )}
        {variants.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Label>End the test: give everybody in it</Menu.Label>
            {variants.slice(0, 8).map(({ name }, variant) => (
              <Menu.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place in the rule.
                key={variant}
                leftSection={<IconFlag size={size} aria-hidden />}
                onClick={() => onEndTest(variant)}
              >
                {name === '' ? `Variant ${variant + 1}` : name}
              </Menu.Item>
            ))}
          </>
        )}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={size} aria-hidden />}
          onClick={onRemove}
        >
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
