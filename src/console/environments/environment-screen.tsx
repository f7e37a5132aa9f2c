/** One environment: its keys, requests to try, and the first steps while it is empty. */
import { Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { IconFileCode } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { When } from '../parts/time/when.js';
import { UnknownEnvironment } from '../parts/unknown-environment.js';
import { describeConfirm, describeReview } from '../releases/words/change-words.js';
import { useMayEdit, useSession } from '../session/session.js';
import { ClientSnippets } from './client-snippets.js';
import { EnvironmentMenu } from './environment-menu.js';
import { useFirstContents, useKeys } from './environment-queries.js';
import { FirstSteps } from './first-steps.js';
import { keyState } from './key-state.js';
import { KeysSection } from './keys-section.js';
import { LayersSection } from './layers-section.js';
import { ProtectedBadge } from './protected-badge.js';

export function EnvironmentScreen() {
  const { env = '' } = useParams<{ env: string }>();
  const environments = useEnvironments();
  const environment = environments.data?.find(({ id }) => id === env);
  if (environment !== undefined) return <Known key={env} environment={environment} />;
  return (
    <Page title={env}>
      <Loaded query={environments} label="Loading the environment" rowHeight={240}>
        {() => <UnknownEnvironment env={env} />}
      </Loaded>
    </Page>
  );
}

function Known({ environment }: { readonly environment: Environment }) {
  const { id, name, protected: isProtected, createdAt } = environment;
  const [isNewKey, setIsNewKey] = useState(false);
  // Including owners of some environments only.
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
          <Anchor component={Link} href={pathOf.releases(id)} size="sm">
            {describeReview(environment.review)}
          </Anchor>
          {environment.confirm && (
            <>
              <span>·</span>
              <span>{describeConfirm(true)}</span>
            </>
          )}
          {environment.traffic === 'contexts' && (
            <>
              <span>·</span>
              <span>a sample of requests is kept</span>
            </>
          )}
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
            Content
          </Button>
          {isOwner && <EnvironmentMenu environment={environment} />}
        </>
      }
    >
      <Stack gap="xl">
        <WhatIsLeft environment={environment} onNewKey={() => setIsNewKey(true)} />
        <KeysSection environment={environment} isNew={isNewKey} onNew={setIsNewKey} />
        <LayersSection environment={environment} />
        <Stack gap="xs" component="section" aria-labelledby="ask-title">
          <Group gap="xs">
            <Title order={2} size="h4" id="ask-title">
              Try it
            </Title>
            <Badge variant="default">delivery API</Badge>
          </Group>
          <Text size="sm" c="dimmed">
            Requests to paste. Replace <span className="mono">{keyPlaceholder}</span> by a key:
            those above are shown only when they are created.
          </Text>
          <ClientSnippets env={id} apiKey={keyPlaceholder} />
        </Stack>
      </Stack>
    </Page>
  );
}

const keyPlaceholder = 'YOUR_API_KEY';

interface WhatIsLeftProps {
  readonly environment: Environment;
  readonly onNewKey: () => void;
}

/** For an environment without content. */
function WhatIsLeft({ environment, onNewKey }: WhatIsLeftProps) {
  const { id, name } = environment;
  const mayEdit = useMayEdit(environment);
  const { data: keys } = useKeys(id);
  const { data: contents } = useFirstContents(id);
  if (!mayEdit || keys === undefined || contents === undefined || contents.length > 0) return null;
  const now = Date.now();
  const hasKey = keys.some((key) => keyState(key, now) === 'active');
  return (
    <FirstSteps
      title={`Get started with ${name}`}
      done={hasKey ? 2 : 1}
      action={
        hasKey ? (
          <Button component={Link} href={pathOf.contents(id)}>
            Go to its content
          </Button>
        ) : (
          <Button onClick={onNewKey}>Create a key</Button>
        )
      }
    />
  );
}
