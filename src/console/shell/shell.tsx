/** The frame around all screens: navigation, environment, user, and whether the server is there. */
import { AppShell, Box, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import { PaletteHost } from '../palette/palette-host.js';
import { Brand } from '../parts/brand.js';
import { useEnvironmentOfScreen } from '../parts/environments.js';
import { EnvironmentChip } from '../parts/place/environment-chip.js';
import { ReviewsBell } from '../releases/reviews-bell.js';
import { useSession } from '../session/session.js';
import { EmergencyBanner } from './emergency-banner.js';
import { EnvironmentStripe } from './environment-stripe.js';
import { Navigation } from './navigation.js';
import { usePaletteTargets } from './palette-targets.js';
import { ServerBanner } from './server-banner.js';
import { useKeptFocus } from './use-kept-focus.js';
import { UserMenu } from './user-menu.js';

export function Shell({ children }: { readonly children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [path] = useLocation();
  const env = useEnvironmentOfScreen();
  const { role } = useSession();
  const palette = usePaletteTargets();
  useKeptFocus();
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
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
            />
            <Brand isShort={env !== null} />
            {env !== null && (
              // On small screens the menu is closed, and the title scrolls away.
              <Box hiddenFrom="sm" miw={0}>
                <EnvironmentChip env={env} />
              </Box>
            )}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteHost {...palette} />
            {(role === 'editor' || role === 'owner') && <ReviewsBell />}
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <EnvironmentStripe />
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
