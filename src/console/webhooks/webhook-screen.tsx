/** One webhook: what it is told of, whether that arrives, and every message. */
import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause, IconWebhookOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { ApiProblem, request } from '../api/call.js';
import { EmptyState } from '../parts/empty-state.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { exactTime, When } from '../parts/when.js';
import { useIsOwner } from '../session/session.js';
import { Deliveries } from './deliveries.js';
import { OwnersOnly } from './owners-only.js';
import { TestButton } from './test-button.js';
import { useRefreshWebhooks, useWebhook } from './use-webhooks.js';
import { environmentsWords, eventsWords } from './webhook-events.js';
import { WebhookMenu } from './webhook-menu.js';
import { WebhookState } from './webhook-state.js';

export function WebhookScreen() {
  const { id = '' } = useParams<{ id: string }>();
  return useIsOwner() ? <Asked key={id} id={id} /> : <OwnersOnly />;
}

function Asked({ id }: { readonly id: string }) {
  const { data: webhook, error, refetch } = useWebhook(id);
  const isGone = error instanceof ApiProblem && error.status === 404;
  if (webhook !== undefined && !isGone) return <Known webhook={webhook} />;
  return (
    <Page title="Webhook">
      {isGone ? (
        <EmptyState
          icon={<IconWebhookOff />}
          title="There is no such webhook"
          action={
            <Button component={Link} href="/webhooks" variant="default">
              All webhooks
            </Button>
          }
        >
          It was deleted; the activity says by whom.
        </EmptyState>
      ) : error === null ? (
        <Skeleton h={240} aria-label="Loading the webhook" />
      ) : (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Known({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, description, events, environments, createdAt, secretBeforeUntil } = webhook;
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
            Told of {eventsWords(events)} in {environmentsWords(environments)}. Made{' '}
            <When at={createdAt} span size="sm" />.
          </div>
          {secretBeforeUntil !== null && (
            <div>
              Until {exactTime(secretBeforeUntil)} the secret before this one signs as well.
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
  const switchOn = useSwitchOn(webhook.id);
  if (!enabled) {
    return (
      <Alert
        color="gray"
        variant="default"
        icon={<IconPlayerPause aria-hidden />}
        title="It is switched off"
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            {disabledReason === 'by hand' ? 'Somebody switched it off' : `Why: ${disabledReason}`}
            {disabledAt === null ? '' : `, ${exactTime(disabledAt)}`}. What happens meanwhile is not
            told later; what waited before is sent when it is on again.
          </Text>
          <Button size="xs" loading={switchOn.isPending} onClick={() => switchOn.mutate()}>
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
        {failingSince !== null && `The first of them ${exactTime(failingSince)}. `}
        Messages wait and are tried again, less and less often. After ten attempts over a day or
        more the webhook is switched off.
      </Text>
    </Alert>
  );
}

function useSwitchOn(id: string) {
  const refresh = useRefreshWebhooks();
  return useMutation({
    mutationFn: () => request('PATCH /webhooks/:id', { params: { id }, body: { enabled: true } }),
    onSuccess: () => {
      refresh();
      notifyDone('The webhook is on. What waited is sent now.');
    },
    onError: notifyFailed,
  });
}
