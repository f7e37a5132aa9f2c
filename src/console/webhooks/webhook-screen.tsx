/** One webhook: which events it is notified of, whether messages arrive, and every message. */
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from 'wouter';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { ApiProblem } from '../api/call.js';
import { IconAlertTriangle, IconPlayerPause, IconWebhookOff } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { Page } from '../parts/page.js';
import { exactTime } from '../parts/time/formats.js';
import { When } from '../parts/time/when.js';
import { useIsOwner } from '../session/session.js';
import { Deliveries } from './deliveries.js';
import { WebhookState } from './delivery-state.js';
import { formatNames } from './format-names.js';
import { OwnersOnly } from './owners-only.js';
import { TestButton } from './test-button.js';
import { useSwitchWebhook, useWebhook } from './use-webhooks.js';
import { WebhookMenu } from './webhook-menu.js';

export function WebhookScreen() {
  const { id = '' } = useParams<{ id: string }>();
  return useIsOwner() ? <LoadedWebhook key={id} id={id} /> : <OwnersOnly />;
}

function LoadedWebhook({ id }: { readonly id: string }) {
  const query = useWebhook(id);
  const { data: webhook, error } = query;
  const isDeleted = error instanceof ApiProblem && error.status === 404;
  if (webhook !== undefined && !isDeleted) return <WebhookPage webhook={webhook} />;
  return (
    <Page title="Webhook">
      {isDeleted ? (
        <EmptyState
          icon={<IconWebhookOff />}
          title="This webhook does not exist"
          action={
            <Button component={Link} href="/webhooks" variant="default">
              All webhooks
            </Button>
          }
        >
          It was deleted; the activity shows by whom.
        </EmptyState>
      ) : (
        <Loaded query={query} label="Loading the webhook" rowHeight={240}>
          {() => null}
        </Loaded>
      )}
    </Page>
  );
}

function WebhookPage({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, format, description, events, environments, createdAt, secretBeforeUntil } =
    webhook;
  const title = description === '' ? new URL(url).host : description;
  return (
    <Page
      title={title}
      heading={
        <>
          <Anchor component={Link} href="/webhooks" size="sm" underline="always">
            Webhooks
          </Anchor>
          <Group gap="sm">
            <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            <WebhookState webhook={webhook} />
          </Group>
        </>
      }
      description={
        <>
          <span className="mono" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </span>
          <div>
            {format === 'loadout' ? '' : `${formatNames[format]}. `}
            Notified of {events?.join(', ') ?? 'all events'} in{' '}
            {environments?.join(', ') ?? 'all environments'}. Created{' '}
            <When at={createdAt} span size="sm" />.
          </div>
          {secretBeforeUntil !== null && (
            <div>
              Until {exactTime(secretBeforeUntil)}, messages are also signed with the previous
              secret.
            </div>
          )}
        </>
      }
      actions={<WebhookMenu webhook={webhook} />}
    >
      <Stack gap="md">
        <Trouble webhook={webhook} />
        <TestButton id={id} />
        <Deliveries webhook={webhook} />
      </Stack>
    </Page>
  );
}

/** Why nothing, or not everything, arrives, and what to do. */
function Trouble({ webhook }: { readonly webhook: Webhook }) {
  const { enabled, disabledAt, disabledReason, failures, failingSince } = webhook;
  const turn = useSwitchWebhook(webhook.id);
  if (!enabled) {
    return (
      <Alert
        color="gray"
        variant="default"
        icon={<IconPlayerPause aria-hidden />}
        title="This webhook is off"
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            {disabledReason === 'by hand' ? 'A user switched it off' : `Reason: ${disabledReason}`}
            {disabledAt === null ? '' : `, ${exactTime(disabledAt)}`}. Events that happen meanwhile
            are not sent later. Messages that already waited are sent when it is on again.
          </Text>
          <Button size="xs" loading={turn.isPending} onClick={() => turn.mutate(true)}>
            Switch on
          </Button>
        </Stack>
      </Alert>
    );
  }
  if (failures === 0) return null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={`${failures} ${failures === 1 ? 'attempt' : 'attempts'} in a row failed`}
    >
      <Text size="sm">
        {failingSince !== null && `The first failed ${exactTime(failingSince)}. `}
        Messages wait and are retried less and less often. After ten attempts over a day or more,
        the webhook is switched off.
      </Text>
    </Alert>
  );
}
