/** The screen before sign-in. */
import { Anchor, Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { SignInFailure } from '../../contract/sign-in-failure.js';
import { Brand } from '../parts/brand.js';
import { SignInWays } from './sign-in-ways.js';

export interface SignInScreenProps {
  readonly onSignedIn: () => void;
  /** Of the last sign-in through the provider. */
  readonly failure: SignInFailure | null;
}

export function SignInScreen({ onSignedIn, failure }: SignInScreenProps) {
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Brand />
        <Paper withBorder p="xl" shadow="sm">
          <Title order={1} size="h3" mb="md">
            Sign in
          </Title>
          <SignInWays onSignedIn={onSignedIn} failure={failure} />
        </Paper>
        <Text size="sm" c="dimmed">
          No token? An owner creates one with <span className="mono">loadout user create</span>. The
          API behind this page is described under{' '}
          <Anchor href="/docs" underline="always">
            /docs
          </Anchor>
          .
        </Text>
      </Stack>
    </Center>
  );
}
