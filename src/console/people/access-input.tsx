/** Chooses a role, and the environments that it is for. */
import { MultiSelect, Radio, Stack } from '@mantine/core';
import type { User } from '../../contract/schemas/user.js';
import { useEnvironments } from '../parts/environments.js';
import { roles, roleTexts } from './role-texts.js';

export interface Access {
  readonly role: User['role'];
  /** Null: all, and the server itself. */
  readonly environments: readonly string[] | null;
}

export interface AccessInputProps {
  readonly value: Access;
  readonly onChange: (access: Access) => void;
  readonly error: string | null;
}

export function AccessInput({ value, onChange, error }: AccessInputProps) {
  const { data: known = [] } = useEnvironments();
  const { role, environments } = value;
  // Ids of environments that are gone from this browser's list stay what they are.
  const ids = new Set([...known.map(({ id }) => id), ...(environments ?? [])]);
  const nameOf = new Map(known.map(({ id, name }) => [id, name]));
  return (
    <Stack>
      <Radio.Group
        label="Role"
        value={role}
        onChange={(chosen) =>
          onChange({ ...value, role: roles.find((one) => one === chosen) ?? role })
        }
      >
        <Stack gap="xs" mt="xs">
          {roles.map((one) => (
            <Radio
              key={one}
              value={one}
              label={`${one.charAt(0).toUpperCase()}${one.slice(1)}`}
              description={roleTexts[one]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group
        label="For"
        value={environments === null ? 'all' : 'some'}
        onChange={(chosen) => onChange({ ...value, environments: chosen === 'all' ? null : [] })}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="all"
            label="All environments"
            description={
              role === 'owner' ? 'And people, webhooks and the server itself.' : undefined
            }
          />
          <Radio
            value="some"
            label="Some environments"
            description="The others do not exist for them."
          />
        </Stack>
      </Radio.Group>
      {environments !== null && (
        <MultiSelect
          label="Environments"
          placeholder={environments.length === 0 ? 'Choose at least one' : undefined}
          data={[...ids].map((id) => ({ value: id, label: nameOf.get(id) ?? id }))}
          value={[...environments]}
          searchable
          hidePickedOptions
          error={error}
          onChange={(chosen) => onChange({ ...value, environments: chosen })}
        />
      )}
    </Stack>
  );
}
