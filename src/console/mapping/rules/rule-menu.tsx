/** Actions on a whole rule. */
import {
  IconArrowDown,
  IconArrowsSplit,
  IconArrowUp,
  IconCopy,
  IconFlag,
  IconTrash,
} from '../../icons/icons.js';
import { ActionMenu, type MenuAction } from '../../parts/data/action-menu.js';
import type { RuleHandle } from './rule-handle.js';

export interface RuleMenuProps {
  readonly handle: RuleHandle;
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
  readonly onMakeTest: () => void;
  /** All players in the segment get what that variant got. */
  readonly onEndTest: (variant: number) => void;
}

const variantsShown = 8;

export function RuleMenu(props: RuleMenuProps) {
  const { handle, isLast, onMove, onDuplicate, onRemove, onMakeTest, onEndTest } = props;
  const { index, rule } = handle;
  const variants = Array.isArray(rule.variants) ? rule.variants : [];
  const makeTest: MenuAction = {
    label: 'Turn into an A/B test',
    icon: IconArrowsSplit,
    onClick: onMakeTest,
  };
  return (
    <ActionMenu
      label={`Actions of rule ${index + 1}, ${rule.segment}`}
      groups={[
        {
          actions: [
            {
              label: 'Move up',
              icon: IconArrowUp,
              isDisabled: index === 0,
              onClick: () => onMove(-1),
            },
            {
              label: 'Move down',
              icon: IconArrowDown,
              isDisabled: isLast,
              onClick: () => onMove(1),
            },
            { label: 'Duplicate', icon: IconCopy, onClick: onDuplicate },
            ...(rule.variants === null ? [makeTest] : []),
          ],
        },
        {
          heading: 'End the test: give all its players',
          actions: variants.slice(0, variantsShown).map(({ name }, variant) => ({
            label: name === '' ? `Variant ${variant + 1}` : name,
            icon: IconFlag,
            onClick: () => onEndTest(variant),
          })),
        },
        { actions: [{ label: 'Remove', icon: IconTrash, color: 'red', onClick: onRemove }] },
      ]}
    />
  );
}
