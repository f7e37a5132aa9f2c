/** Adds a member that an object does not have: one that the schema describes, or one of any name. */
import { Button, Group, Menu, Popover, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';

export interface AddMemberProps {
  /** JSON Pointer of the object. */
  readonly of: string;
  readonly offered: readonly { readonly name: string; readonly label: string }[];
  /** Names of members that are there. */
  readonly taken: readonly string[];
  readonly mayHaveOthers: boolean;
  readonly onAdd: (name: string) => void;
}

export function AddMember({ of, offered, taken, mayHaveOthers, onAdd }: AddMemberProps) {
  if (offered.length === 0 && !mayHaveOthers) return null;
  const where = of === '' ? '' : ` to ${of}`;
  return (
    <Group gap="xs">
      {offered.length > 0 && (
        <Menu position="bottom-start" withArrow>
          <Menu.Target>
            <Button
              variant="default"
              size="xs"
              aria-label={`Add a member${where}`}
              leftSection={<IconPlus size={14} aria-hidden />}
            >
              Add a member
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {offered.map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => onAdd(name)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {mayHaveOthers && <AddByName where={where} taken={taken} onAdd={onAdd} />}
    </Group>
  );
}

interface AddByNameProps extends Pick<AddMemberProps, 'taken' | 'onAdd'> {
  readonly where: string;
}

function AddByName({ where, taken, onAdd }: AddByNameProps) {
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
    <Popover opened={isOpen} onChange={setIsOpen} trapFocus position="bottom-start">
      <Popover.Target>
        <Button
          variant="subtle"
          size="xs"
          aria-label={`Add by name${where}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          Add by name…
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="New member">
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
              error={isTaken ? 'There is such a member.' : null}
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
