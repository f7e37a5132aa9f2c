/** The frame around all screens: navigation, environment, user, and whether the server is there. */
import { AppShell, Box, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import { Brand } from '../parts/brand.js';
import { ReviewsBell } from '../releases/reviews-bell.js';
import { useSession } from '../session/session.js';
import { EmergencyBanner } from './emergency-banner.js';
import { Navigation } from './navigation.js';
import { ProtectedStripe } from './protected-stripe.js';
import { ServerBanner } from './server-banner.js';
import { UserMenu } from './user-menu.js';

export function Shell({ children }: { readonly children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [path] = useLocation();
  const { role } = useSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path closes the menu of small screens.
  useEffect(close, [path]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
            />
            <Brand />
          </Group>
          <Group gap="xs" wrap="nowrap">
            {role !== 'viewer' && <ReviewsBell />}
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <ProtectedStripe />
      <AppShell.Navbar p="sm">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <ServerBanner />
        <EmergencyBanner />
        <Box maw={1400} mx="auto">
          {children}
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}
