/** Asks for the name of a member that no row has yet: its column is empty until a cell is typed. */
import { Button, Group, Popover, TextInput } from '@mantine/core';
import type { IconColumnInsertRight } from '@tabler/icons-react';
import { useState } from 'react';
import { ToolButton } from '../../parts/tool-button.js';

export interface NewColumnProps {
  readonly icon: typeof IconColumnInsertRight;
  /** Names that are columns already. */
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
}

export function NewColumn({ icon, taken, onAdd }: NewColumnProps) {
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
    <Popover opened={isOpen} onChange={setIsOpen} trapFocus returnFocus position="bottom-end">
      <Popover.Target>
        <ToolButton icon={icon} onClick={() => setIsOpen(!isOpen)}>
          Add a column
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="New column">
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
              error={isTaken ? 'There is such a column.' : null}
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
