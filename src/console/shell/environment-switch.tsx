/** Goes to another environment: to the same screen of it, or from a screen of the server to its first one. */
import { Group, NavLink, Select } from '@mantine/core';
import { Link, useLocation, useSearch } from 'wouter';
import { useEnvironments } from '../parts/environments.js';
import { EnvironmentMark } from '../parts/place/environment-mark.js';
import { useSession } from '../session/session.js';
import { firstScreenOf } from './first-screen.js';
import { lastEnvironment } from './last-environment.js';
import { sameScreenIn } from './same-screen.js';

/** Beyond this many, the list of environments has them. */
const linksMax = 8;
const searchedFrom = 9;

export function EnvironmentSwitch({ env }: { readonly env: string }) {
  const [path, go] = useLocation();
  const search = useSearch();
  const { data: environments = [] } = useEnvironments();
  return (
    <Select
      label="Environment"
      data={environments.map(({ id, name }) => ({ value: id, label: name }))}
      value={env}
      leftSection={<EnvironmentMark env={env} />}
      renderOption={({ option, checked }) => (
        <Group gap={6} wrap="nowrap" fw={checked === true ? 600 : undefined}>
          <EnvironmentMark env={option.value} />
          {option.label}
        </Group>
      )}
      allowDeselect={false}
      searchable={environments.length >= searchedFrom}
      comboboxProps={{ withinPortal: true }}
      onChange={(chosen) => {
        if (chosen !== null && chosen !== env) go(sameScreenIn(chosen, path, search));
      }}
    />
  );
}

export function EnvironmentLinks() {
  const { data: environments = [] } = useEnvironments();
  const { role } = useSession();
  if (environments.length === 0) return null;
  // The one that was viewed last is always among them.
  const last = lastEnvironment();
  const shown = [
    ...environments.filter(({ id }) => id === last),
    ...environments.filter(({ id }) => id !== last),
  ].slice(0, linksMax);
  return (
    <nav aria-label="Go to an environment">
      {environments
        .filter((one) => shown.includes(one))
        .map(({ id, name }) => (
          <NavLink
            key={id}
            component={Link}
            href={firstScreenOf(id, role)}
            label={name}
            leftSection={<EnvironmentMark env={id} />}
          />
        ))}
    </nav>
  );
}
