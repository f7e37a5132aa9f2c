/** A button with three dots that opens what can be done with something. */
import { ActionIcon, type MantineBreakpoint, Menu } from '@mantine/core';
import { Fragment } from 'react';
import { IconDots, type IconTrash } from '../../icons/icons.js';

export interface MenuAction {
  readonly label: string;
  readonly icon: typeof IconTrash;
  readonly onClick: () => void;
  readonly color?: string;
  readonly isDisabled?: boolean;
  readonly hiddenFrom?: MantineBreakpoint;
}

export interface ActionMenuProps {
  readonly label: string;
  /** Groups of actions with a line between them. */
  readonly groups: readonly {
    readonly heading?: string;
    readonly actions: readonly MenuAction[];
  }[];
}

export function ActionMenu({ label, groups }: ActionMenuProps) {
  const shown = groups.filter(({ actions }) => actions.length > 0);
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="input-sm" aria-label={label}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {shown.map(({ heading, actions }, place) => (
          <Fragment key={actions.map((action) => action.label).join()}>
            {place > 0 && <Menu.Divider />}
            {heading !== undefined && <Menu.Label>{heading}</Menu.Label>}
            {actions.map(({ label: name, icon: Icon, isDisabled, ...item }, index) => (
              <Menu.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, such as names of variants.
                key={index}
                leftSection={<Icon size={16} aria-hidden />}
                disabled={isDisabled}
                {...item}
              >
                {name}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
