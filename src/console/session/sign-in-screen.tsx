/** The screen before sign-in. */
import { Anchor, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { Brand } from '../parts/brand.js';
import { SignIn } from './sign-in.js';

export function SignInScreen({ onSignedIn }: { readonly onSignedIn: () => void }) {
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Brand />
        <Paper withBorder p="xl" shadow="sm">
          <Title order={1} size="h3" mb="md">
            Sign in
          </Title>
          <SignIn onSignedIn={onSignedIn} />
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
