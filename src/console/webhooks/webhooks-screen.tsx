/** The webhooks of the server: where messages are sent, about which events, and whether they arrive. */
import { Anchor, Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { IconPlus, IconWebhook } from '../icons/icons.js';
import { useCommands } from '../palette/use-commands.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { Page } from '../parts/page.js';
import { When } from '../parts/time/when.js';
import { useIsOwner } from '../session/session.js';
import { DeliveryState, describeOutcome, WebhookState } from './delivery-state.js';
import { OwnersOnly } from './owners-only.js';
import { useLastDelivery, useWebhooks } from './use-webhooks.js';
import { WebhookSecret } from './verify-help.js';
import { WebhookForm } from './webhook-form.js';

export function WebhooksScreen() {
  return useIsOwner() ? <Webhooks /> : <OwnersOnly />;
}

interface Made {
  readonly webhook: Webhook;
  readonly secret: string;
}

function Webhooks() {
  const webhooks = useWebhooks();
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const [, go] = useLocation();
  useCommands([{ name: 'New webhook…', keywords: ['create'], run: () => setIsMaking(true) }]);
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsMaking(true)}>
      New webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      description="A webhook notifies a URL of events: a chat, a build server, a cache."
      actions={webhooks.data?.length ? create : undefined}
    >
      <Loaded query={webhooks} label="Loading the webhooks" rows={2} rowHeight={64}>
        {(known) =>
          known.length === 0 ? (
            <EmptyState icon={<IconWebhook />} title="No webhooks yet" action={create}>
              Create one, and your URL gets a signed message whenever a content item is published, a
              key is created or a segment changes. Messages contain neither content nor keys.
            </EmptyState>
          ) : (
            <Paper withBorder>
              <DataTable
                aria-label="Webhooks"
                verticalSpacing="sm"
                columns={columns}
                rows={known}
                keyOf={({ id }) => id}
              />
            </Paper>
          )
        }
      </Loaded>
      {isMaking && (
        <WebhookForm
          webhook={null}
          onClose={() => setIsMaking(false)}
          onSaved={(webhook, secret) => {
            setIsMaking(false);
            if (secret === null) go(`/webhooks/${encodeURIComponent(webhook.id)}`);
            else setMade({ webhook, secret });
          }}
        />
      )}
      {made !== null && (
        <WebhookSecret
          title="Webhook created"
          secret={made.secret}
          onClose={() => go(`/webhooks/${encodeURIComponent(made.webhook.id)}`)}
        />
      )}
    </Page>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    title: 'Webhook',
    cell: ({ id, url, description }) => (
      <>
        <Anchor component={Link} href={`/webhooks/${encodeURIComponent(id)}`} fw={600} size="sm">
          {description === '' ? url : description}
        </Anchor>
        {description !== '' && (
          <Text size="xs" c="dimmed" className="mono">
            {url}
          </Text>
        )}
        <Group hiddenFrom="sm" mt={6}>
          <LastMessage id={id} />
        </Group>
      </>
    ),
  },
  {
    title: 'Events',
    visibleFrom: 'md',
    maw: 320,
    cell: ({ events, environments }) => (
      <>
        <Text size="sm">{events?.join(', ') ?? 'all events'}</Text>
        <Text size="xs" c="dimmed">
          in {environments?.join(', ') ?? 'all environments'}
        </Text>
      </>
    ),
  },
  {
    title: 'State',
    maw: 200,
    cell: (webhook) => (
      <>
        <WebhookState webhook={webhook} />
        {webhook.enabled ? (
          webhook.failingSince !== null && (
            <Text size="xs" c="dimmed" mt={2}>
              since <When at={webhook.failingSince} inherit span />
            </Text>
          )
        ) : (
          <Text size="xs" c="dimmed" mt={2}>
            {webhook.disabledReason}
          </Text>
        )}
      </>
    ),
  },
  { title: 'Last message', visibleFrom: 'sm', cell: ({ id }) => <LastMessage id={id} /> },
];

function LastMessage({ id }: { readonly id: string }) {
  const { data } = useLastDelivery(id);
  if (data === undefined) return <Text size="sm">…</Text>;
  if (data === null) {
    return (
      <Text size="sm" c="dimmed">
        nothing sent yet
      </Text>
    );
  }
  return (
    <div>
      <Group gap="xs">
        <DeliveryState status={data.status} />
        <When at={data.lastAttemptAt ?? data.createdAt} size="sm" c="dimmed" />
      </Group>
      <Text size="xs" c="dimmed" mt={2} lineClamp={2}>
        {data.event}: {describeOutcome(data)}
      </Text>
    </div>
  );
}
