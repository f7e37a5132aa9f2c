/** The screens of the chosen environment, and those of the server. */
import { Divider, Group, NavLink, ScrollArea, Select, Stack } from '@mantine/core';
import {
  IconActivity,
  IconArrowsExchange,
  IconCalendarTime,
  IconChartGridDots,
  IconFileCode,
  IconHeartbeat,
  IconLock,
  IconRocket,
  IconStack2,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { pathOf, useEnvironmentOfPath, useEnvironments } from '../parts/environments.js';
import { lastEnvironment, rememberEnvironment } from './last-environment.js';
import classes from './navigation.module.css';

type Destination = readonly [label: string, path: string, icon: typeof IconStack2];

const ofServer: readonly Destination[] = [
  ['Environments', '/environments', IconStack2],
  ['Activity', '/activity', IconActivity],
  ['Webhooks', '/webhooks', IconWebhook],
  ['People', '/people', IconUsers],
  ['Health', '/health', IconHeartbeat],
];

const ofEnvironment = (env: string): readonly Destination[] => [
  ['Content', pathOf.contents(env), IconFileCode],
  ['Segments', pathOf.segments(env), IconUsersGroup],
  ['A/B tests', pathOf.groups(env), IconChartGridDots],
  ['Releases', pathOf.releases(env), IconRocket],
  ['Calendar', pathOf.calendar(env), IconCalendarTime],
  ['Sync', pathOf.sync(env), IconArrowsExchange],
];

export function Navigation() {
  const [path, go] = useLocation();
  const { data: environments = [] } = useEnvironments();
  const ofPath = useEnvironmentOfPath();
  useEffect(() => {
    if (ofPath !== null) rememberEnvironment(ofPath);
  }, [ofPath]);
  const known = environments.find(({ id }) => id === (ofPath ?? lastEnvironment()));
  const env = ofPath ?? known?.id ?? environments[0]?.id ?? null;
  const isProtected = (id: string): boolean =>
    environments.some((one) => one.id === id && one.protected);
  return (
    <ScrollArea>
      <Stack gap="xs">
        {env !== null && (
          <Select
            label="Environment"
            data={environments.map(({ id, name }) => ({ value: id, label: name }))}
            value={env}
            leftSection={isProtected(env) ? <Lock /> : undefined}
            renderOption={({ option, checked }) => (
              <Group gap={6} wrap="nowrap" flex={1} justify="space-between">
                <Group gap={6} wrap="nowrap" fw={checked === true ? 600 : undefined}>
                  {option.label}
                </Group>
                {isProtected(option.value) && <Lock />}
              </Group>
            )}
            allowDeselect={false}
            searchable={environments.length > 8}
            comboboxProps={{ withinPortal: true }}
            onChange={(chosen) => {
              if (chosen !== null) go(sameScreenIn(chosen, path));
            }}
          />
        )}
        <Destinations label="Environment" of={env === null ? [] : ofEnvironment(env)} here={path} />
        <Divider />
        <Destinations label="Server" of={ofServer} here={path} />
      </Stack>
    </ScrollArea>
  );
}

function Lock() {
  return <IconLock size={16} role="img" aria-label="protected" className={classes['lock']} />;
}

interface DestinationsProps {
  readonly label: string;
  readonly of: readonly Destination[];
  /** The path of the screen that is shown. */
  readonly here: string;
}

function Destinations({ label, of, here }: DestinationsProps) {
  return (
    <nav aria-label={label}>
      {of.map(([name, path, Icon]) => {
        const isHere = here === path || here.startsWith(`${path}/`);
        return (
          <NavLink
            key={path}
            component={Link}
            href={path}
            label={name}
            leftSection={<Icon size={18} />}
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
          />
        );
      })}
    </nav>
  );
}

const screenOfPath = /^\/env\/[^/]+\/([^/]+)/;

/** The list of the same kind in another environment, where an item of this one may not exist. */
function sameScreenIn(env: string, path: string): string {
  const screen = screenOfPath.exec(path)?.[1] ?? 'contents';
  return `/env/${encodeURIComponent(env)}/${screen}`;
}
