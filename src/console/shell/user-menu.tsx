/** The signed-in user, light or dark colours, and sign-out. */
import {
  ActionIcon,
  Avatar,
  Badge,
  Group,
  Menu,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { request } from '../api/call.js';
import { IconBook, IconLogout, IconMoon, IconSun } from '../icons/icons.js';
import { useCommands } from '../palette/use-commands.js';
import { notifyFailed } from '../parts/notify.js';
import { useSession } from '../session/session.js';

/** Colours of the theme whose letters can be read on their light ground. */
const readableColours = ['ink', 'teal', 'orange', 'red'];

export function UserMenu() {
  const { name, role, environments, token } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const signOut = useMutation({
    mutationFn: () => request('DELETE /session', {}),
    // Loading a page forgets the data of this one. The provider’s session would sign the next person in as this one.
    onSuccess: () =>
      window.location.assign(token.source === 'provider' ? '/auth/oidc/sign-out' : '/'),
    onError: notifyFailed,
  });
  const switchColours = (): void => setColorScheme(isDark ? 'light' : 'dark');
  useCommands([
    {
      name: isDark ? 'Light colours' : 'Dark colours',
      keywords: ['mode', 'theme'],
      run: switchColours,
    },
    {
      name: 'API documentation',
      keywords: ['docs', 'help'],
      run: () => window.open('/docs', '_blank', 'noopener'),
    },
    { name: 'Sign out', keywords: ['log out'], run: () => signOut.mutate() },
  ]);
  return (
    <Group gap="xs" wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={isDark ? 'Light colours' : 'Dark colours'}
        onClick={switchColours}
      >
        {isDark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
      </ActionIcon>
      <Menu position="bottom-end" withArrow>
        <Menu.Target>
          <UnstyledButton>
            <Avatar
              name={name}
              color="initials"
              allowedInitialsColors={readableColours}
              size={32}
              radius="xl"
              alt=""
              aria-hidden
            />
            <VisuallyHidden>Signed in as {name}</VisuallyHidden>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text fw={600} c="var(--mantine-color-text)">
              {name}
            </Text>
            <Badge variant="light" size="sm" mt={4}>
              {role}
            </Badge>
            {environments !== null && (
              <Text size="xs" mt={4}>
                for {environments.join(', ')}
              </Text>
            )}
          </Menu.Label>
          <Menu.Divider />
          <Menu.Item
            component="a"
            href="/docs"
            target="_blank"
            leftSection={<IconBook size={16} aria-hidden />}
          >
            API documentation
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => signOut.mutate()}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
