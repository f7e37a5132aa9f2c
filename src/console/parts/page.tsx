/** The frame of a screen: its title, actions, and the content below. */
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useEnvironmentOfScreen } from './environments.js';
import { useGuard } from './guard.js';
import { EnvironmentChip } from './place/environment-chip.js';

export interface PageProps {
  readonly title: string;
  /** Shown instead of the plain title; the title still names the browser's tab. */
  readonly heading?: ReactNode;
  readonly description?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, heading, description, actions, children }: PageProps) {
  const env = useEnvironmentOfScreen();
  const { name, isProtected } = useGuard(env ?? '');
  const place = env === null ? '' : ` · ${name}${isProtected ? ' (protected)' : ''}`;
  useDocumentTitle(`${title}${place} · Loadout`);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        {/* What a heading says may grow while one types: it wraps by itself, and the buttons stay. */}
        <Box miw={0} flex="1 1 20rem">
          {env !== null && (
            <Box mb={6} lh={1}>
              <EnvironmentChip env={env} />
            </Box>
          )}
          {heading ?? (
            <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
          )}
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
