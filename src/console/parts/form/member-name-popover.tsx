/** Asks beside its button for the name of a member that an object is to have. */
import { Button, Group, Popover, type PopoverProps, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';

export interface MemberNamePopoverProps extends Pick<PopoverProps, 'position' | 'returnFocus'> {
  /** Names the popover. */
  readonly label: string;
  /** Names that are not free. */
  readonly taken: readonly string[];
  /** Said of a name that is not free. */
  readonly takenText: string;
  /** The button, which calls `toggle` when it is pressed. */
  readonly target: (toggle: () => void) => ReactElement;
  readonly onAdd: (name: string) => void;
}

export function MemberNamePopover(props: MemberNamePopoverProps) {
  const { label, taken, takenText, target, onAdd, ...popover } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const isTaken = taken.includes(name);
  const add = (): void => {
    if (name === '' || isTaken) return;
    onAdd(name);
    setName('');
    setIsOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} trapFocus {...popover}>
      <Popover.Target>{target(() => setIsOpen(!isOpen))}</Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            add();
          }}
        >
          <Group gap="xs" align="flex-start">
            <TextInput
              size="xs"
              label="Name of the member"
              value={name}
              error={isTaken ? takenText : null}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" size="xs" mt={22}>
              Add
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
