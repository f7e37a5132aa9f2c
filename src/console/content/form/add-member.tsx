/** Adds a member that an object does not have: one that the schema describes, or one of any name. */
import { Button, Group, Menu } from '@mantine/core';
import { IconPlus } from '../../icons/icons.js';
import { MemberNamePopover } from '../../parts/form/member-name-popover.js';

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
  return (
    <MemberNamePopover
      label="New member"
      position="bottom-start"
      taken={taken}
      takenText="A member with this name exists."
      target={(toggle) => (
        <Button variant="subtle" size="xs" aria-label={`Add by name${where}`} onClick={toggle}>
          Add by name…
        </Button>
      )}
      onAdd={onAdd}
    />
  );
}
