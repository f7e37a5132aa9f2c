/** Chooses a role and the environments that it applies to. */
import { MultiSelect, Radio, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { User } from '../../contract/schemas/user.js';
import { useEnvironments } from '../parts/environments.js';
import { roles, roleTexts } from './role.js';

export interface Access {
  readonly role: User['role'];
  /** Null: all, and the server itself. */
  readonly environments: readonly string[] | null;
}

export interface AccessInputProps {
  readonly value: Access;
  readonly onChange: (access: Access) => void;
  readonly error: ReactNode;
}

export function AccessInput({ value, onChange, error }: AccessInputProps) {
  const { data: known = [] } = useEnvironments();
  const { role, environments } = value;
  // Environments that were deleted meanwhile stay in the list of this user.
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
            description="The user cannot see the others."
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
