/** One environment: its keys, how games ask for what is in it, and what is left to do when it is new. */
import { Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconFileCode } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { UnknownEnvironment } from '../parts/unknown-environment.js';
import { When } from '../parts/when.js';
import { useMayEdit, useSession } from '../session/session.js';
import { ClientSnippets } from './client-snippets.js';
import { EnvironmentMenu } from './environment-menu.js';
import { FirstSteps } from './first-steps.js';
import { keyState } from './key-state.js';
import { KeysSection, useKeys } from './keys-section.js';
import { ProtectedBadge } from './protected-badge.js';

export function EnvironmentScreen() {
  const { env = '' } = useParams<{ env: string }>();
  const { data: environments, error, refetch } = useEnvironments();
  const environment = environments?.find(({ id }) => id === env);
  if (environment !== undefined) return <Known key={env} environment={environment} />;
  return (
    <Page title={env}>
      {environments !== undefined ? (
        <UnknownEnvironment env={env} />
      ) : error !== null ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h={240} role="status" aria-label="Loading the environment" />
      )}
    </Page>
  );
}

function Known({ environment }: { readonly environment: Environment }) {
  const { id, name, protected: isProtected, createdAt } = environment;
  // Owners of some environments only are owners of those all the same.
  const isOwner = useSession().role === 'owner';
  return (
    <Page
      title={name}
      heading={
        <Group gap="xs">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          {isProtected && <ProtectedBadge />}
        </Group>
      }
      description={
        <Group gap={6}>
          <span className="mono">{id}</span>
          <span>·</span>
          <span>
            created <When at={createdAt} span />
          </span>
        </Group>
      }
      actions={
        <>
          <Button
            component={Link}
            href={pathOf.contents(id)}
            variant="default"
            leftSection={<IconFileCode size={16} aria-hidden />}
          >
            Contents
          </Button>
          {isOwner && <EnvironmentMenu environment={environment} />}
        </>
      }
    >
      <Stack gap="xl">
        <WhatIsLeft environment={environment} />
        <KeysSection environment={environment} />
        <Stack gap="xs" component="section" aria-labelledby="ask-title">
          <Group gap="xs">
            <Title order={2} size="h4" id="ask-title">
              Ask for it
            </Title>
            <Badge variant="default">delivery API</Badge>
          </Group>
          <Text size="sm" c="dimmed">
            Requests to paste. Put a key in the place of{' '}
            <span className="mono">{keyPlaceholder}</span>: those above are shown only when they are
            created.
          </Text>
          <ClientSnippets env={id} apiKey={keyPlaceholder} />
        </Stack>
      </Stack>
    </Page>
  );
}

const keyPlaceholder = 'YOUR_API_KEY';

/** For an environment that nobody can fetch anything from yet. */
function WhatIsLeft({ environment }: { readonly environment: Environment }) {
  const { id, name } = environment;
  const mayEdit = useMayEdit(environment);
  const { data: keys } = useKeys(id);
  const { data: contents } = useQuery({
    queryKey: ['environments', id, 'contents', { first: 20 }],
    queryFn: () =>
      request('GET /environments/:env/contents', { params: { env: id }, query: { limit: 20 } }),
  });
  if (!mayEdit || keys === undefined || contents === undefined) return null;
  const now = Date.now();
  const hasKey = keys.some((key) => keyState(key, now) === 'active');
  const hasContent = contents.contents.length > 0;
  if (hasContent) return null;
  return (
    <FirstSteps
      title={`To the first answer from ${name}`}
      steps={[
        { title: 'Create an environment', text: '', isDone: true },
        {
          title: 'Create an API key',
          text: 'Your game sends it with each request. Create it below.',
          isDone: hasKey,
        },
        {
          title: 'Create a content',
          text: 'JSON with comments, which is served as soon as you publish it.',
          isDone: hasContent,
          action: (
            <Button component={Link} href={pathOf.contents(id)}>
              Go to its contents
            </Button>
          ),
        },
      ]}
    />
  );
}
