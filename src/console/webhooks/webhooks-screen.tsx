/** Webhooks: who is told what happens here. */
import { Button, Skeleton, Stack } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { EmptyState } from '../parts/empty-state.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useIsOwner } from '../session/session.js';
import { OwnersOnly } from './owners-only.js';
import { useWebhooks } from './use-webhooks.js';
import { WebhookForm } from './webhook-form.js';
import { WebhookList } from './webhook-list.js';
import { WebhookSecret } from './webhook-secret.js';

export function WebhooksScreen() {
  return useIsOwner() ? <Webhooks /> : <OwnersOnly />;
}

interface Made {
  readonly webhook: Webhook;
  readonly secret: string;
}

function Webhooks() {
  const { data: webhooks, error, refetch } = useWebhooks();
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const [, go] = useLocation();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsMaking(true)}>
      New webhook
    </Button>
  );
  const hasSome = webhooks !== undefined && webhooks.length > 0;
  return (
    <Page
      title="Webhooks"
      description="A webhook is a URL that is told what happened: a chat, a build server, a cache."
      actions={hasSome ? create : undefined}
    >
      {webhooks === undefined ? (
        error === null ? (
          <Stack gap="xs" aria-hidden>
            <Skeleton h={64} />
            <Skeleton h={64} />
          </Stack>
        ) : (
          <ProblemAlert error={error} onRetry={() => void refetch()} />
        )
      ) : hasSome ? (
        <WebhookList webhooks={webhooks} />
      ) : (
        <EmptyState icon={<IconWebhook />} title="No webhooks yet" action={create}>
          Make one, and a URL of yours gets a signed message whenever a content is published, a key
          is made or a segment changes. None carries a text or a key.
        </EmptyState>
      )}
      {isMaking && (
        <WebhookForm
          webhook={null}
          onClose={() => setIsMaking(false)}
          onSaved={(webhook, secret) => {
            setIsMaking(false);
            setMade({ webhook, secret: secret ?? '' });
          }}
        />
      )}
      {made !== null && (
        <WebhookSecret
          title="The webhook is made"
          secret={made.secret}
          onClose={() => go(`/webhooks/${encodeURIComponent(made.webhook.id)}`)}
        />
      )}
    </Page>
  );
}
