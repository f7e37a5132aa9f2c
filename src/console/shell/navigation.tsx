/** The screens of the chosen environment, and those of the server. */
import { Divider, NavLink, ScrollArea, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { User } from '../../contract/schemas/user.js';
import {
  IconActivity,
  IconArrowsExchange,
  IconCalendarTime,
  IconFileCode,
  IconFlask,
  IconHeartbeat,
  IconLayoutDashboard,
  IconRocket,
  IconStack2,
  IconUserSearch,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '../icons/icons.js';
import { pathOf, useEnvironmentOfScreen, useEnvironments } from '../parts/environments.js';
import { useSession } from '../session/session.js';
import { EnvironmentLinks, EnvironmentSwitch } from './environment-switch.js';
import { rememberEnvironment } from './last-environment.js';

type Destination = readonly [
  label: string,
  path: string,
  icon: typeof IconStack2,
  /** Paths of screens that belong to it. */
  more?: readonly string[],
];

/** All screens of an environment are below its overview, but only that is the overview. */
const overviewPath = /^\/env\/[^/]+$/;

const screensOfServer: readonly Destination[] = [
  ['Environments', '/environments', IconStack2],
  ['Activity', '/activity', IconActivity],
  ['Webhooks', '/webhooks', IconWebhook],
  ['People', '/people', IconUsers],
  ['Health', '/health', IconHeartbeat],
];

const playersOf = (env: string): Destination => ['Players', pathOf.players(env), IconUserSearch];

const screensOfEnvironment = (env: string): readonly Destination[] => [
  ['Overview', pathOf.overview(env), IconLayoutDashboard],
  ['Content', pathOf.contents(env), IconFileCode],
  ['Segments', pathOf.segments(env), IconUsersGroup],
  [
    'Experiments',
    pathOf.experiments(env),
    IconFlask,
    [pathOf.newExperiment(env), pathOf.groups(env), pathOf.metrics(env)],
  ],
  ['Releases', pathOf.releases(env), IconRocket],
  playersOf(env),
  ['Calendar', pathOf.calendar(env), IconCalendarTime],
  ['Sync', pathOf.sync(env), IconArrowsExchange],
];

/** The screens of the whole server that a role may see. */
export function ofServer(role: User['role']): readonly Destination[] {
  return role === 'support' ? [] : screensOfServer;
}

/** The screens of an environment that a role may see. */
export function ofEnvironment(env: string, role: User['role']): readonly Destination[] {
  return role === 'support' ? [playersOf(env)] : screensOfEnvironment(env);
}

export function Navigation() {
  const [path] = useLocation();
  const env = useEnvironmentOfScreen();
  const { role } = useSession();
  const server = ofServer(role);
  const hasEnvironments = (useEnvironments().data ?? []).length > 0;
  useEffect(() => {
    if (env !== null) rememberEnvironment(env);
  }, [env]);
  return (
    <ScrollArea>
      <Stack gap="xs">
        {env === null ? (
          // A screen of the whole server: no environment is chosen there.
          <EnvironmentLinks />
        ) : (
          <>
            <EnvironmentSwitch env={env} />
            <Destinations label="Environment" of={ofEnvironment(env, role)} here={path} />
          </>
        )}
        {hasEnvironments && server.length > 0 && <Divider />}
        {server.length > 0 && <Destinations label="Server" of={server} here={path} />}
      </Stack>
    </ScrollArea>
  );
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
      {of.map(([name, path, Icon, more = []]) => {
        const isBelow = here.startsWith(`${path}/`) && !overviewPath.test(path);
        const isHere = here === path || isBelow || more.includes(here);
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
