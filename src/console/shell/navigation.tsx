/** Where one can go: the screens of the chosen environment, and those of the server. */
import { Divider, Group, NavLink, ScrollArea, Select, Stack } from '@mantine/core';
import {
  IconActivity,
  IconArrowsExchange,
  IconChartGridDots,
  IconFileCode,
  IconHeartbeat,
  IconLock,
  IconStack2,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { pathOf, useEnvironmentOfPath, useEnvironments } from '../parts/environments.js';
import { lastEnvironment, rememberEnvironment } from './last-environment.js';
import classes from './navigation.module.css';

interface Destination {
  readonly label: string;
  readonly path: string;
  readonly icon: ReactNode;
}

const iconSize = 18;

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
  const ofEnvironment: Destination[] =
    env === null
      ? []
      : [
          { label: 'Content', path: pathOf.contents(env), icon: <IconFileCode size={iconSize} /> },
          {
            label: 'Segments',
            path: pathOf.segments(env),
            icon: <IconUsersGroup size={iconSize} />,
          },
          {
            label: 'Groups',
            path: pathOf.groups(env),
            icon: <IconChartGridDots size={iconSize} />,
          },
          { label: 'Sync', path: pathOf.sync(env), icon: <IconArrowsExchange size={iconSize} /> },
        ];
  const ofServer: Destination[] = [
    { label: 'Environments', path: '/environments', icon: <IconStack2 size={iconSize} /> },
    { label: 'Activity', path: '/activity', icon: <IconActivity size={iconSize} /> },
    { label: 'Webhooks', path: '/webhooks', icon: <IconWebhook size={iconSize} /> },
    { label: 'People', path: '/people', icon: <IconUsers size={iconSize} /> },
    { label: 'Health', path: '/health', icon: <IconHeartbeat size={iconSize} /> },
  ];
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
        <nav aria-label="Environment">
          {ofEnvironment.map((destination) => (
            <NavigationLink key={destination.path} {...destination} here={path} />
          ))}
        </nav>
        <Divider />
        <nav aria-label="Server">
          {ofServer.map((destination) => (
            <NavigationLink key={destination.path} {...destination} here={path} />
          ))}
        </nav>
      </Stack>
    </ScrollArea>
  );
}

function Lock() {
  return <IconLock size={16} role="img" aria-label="protected" className={classes['lock']} />;
}

function NavigationLink({ label, path, icon, here }: Destination & { readonly here: string }) {
  const isHere = here === path || here.startsWith(`${path}/`);
  return (
    <NavLink
      component={Link}
      href={path}
      label={label}
      leftSection={icon}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
    />
  );
}

const screenOfPath = /^\/env\/[^/]+\/([^/]+)/;

/** The list of the same kind in another environment; a content of this one need not exist there. */
function sameScreenIn(env: string, path: string): string {
  const screen = screenOfPath.exec(path)?.[1] ?? 'contents';
  return `/env/${encodeURIComponent(env)}/${screen}`;
}
