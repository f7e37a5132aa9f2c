/** The state of a webhook and of its messages, as badges and as sentences. */
import { Badge, type BadgeProps, Code, Text } from '@mantine/core';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { IconAlertTriangle, IconCheck, IconClock, IconPlayerPause } from '../icons/icons.js';

const looks = {
  on: { color: 'teal', icon: IconCheck },
  failing: { color: 'red', icon: IconAlertTriangle },
  off: { color: null, icon: IconPlayerPause },
  delivered: { color: 'teal', icon: IconCheck },
  waiting: { color: 'blue', icon: IconClock },
  failed: { color: 'red', icon: IconAlertTriangle },
} as const;

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const state = webhook.failures > 0 ? 'failing' : 'on';
  return <StateBadge state={webhook.enabled ? state : 'off'} />;
}

export function DeliveryState({ status }: Pick<WebhookDelivery, 'status'>) {
  return <StateBadge state={status === 'pending' ? 'waiting' : status} />;
}

function StateBadge({ state }: { readonly state: keyof typeof looks }) {
  const { color, icon: Icon } = looks[state];
  const look: BadgeProps =
    color === null ? { variant: 'default' } : { variant: 'light', color, c: readable(color) };
  return (
    <Badge {...look} miw="max-content" leftSection={<Icon size={12} aria-hidden />}>
      {state}
    </Badge>
  );
}

/** On the tint of its own colour; Mantine's darkest shade is a little too light for text of this size. */
function readable(color: 'teal' | 'blue' | 'red'): string {
  const darkest = `color-mix(in srgb, var(--mantine-color-${color}-9) 80%, black)`;
  return `light-dark(${darkest}, var(--mantine-color-${color}-2))`;
}

/** The result of the last attempt: "status 204 after 12 ms". */
export function describeOutcome(delivery: WebhookDelivery): string {
  const { lastStatus, lastError, lastDurationMs, attempts } = delivery;
  if (lastError !== '') return lastError;
  if (attempts === 0) return 'not tried yet';
  const took = lastDurationMs === null ? '' : ` after ${lastDurationMs} ms`;
  return lastStatus === null ? 'no response' : `status ${lastStatus}${took}`;
}

/** When the next attempt is due. */
export function describeNextTry(
  { nextAttemptAt }: Pick<WebhookDelivery, 'nextAttemptAt'>,
  isOn: boolean,
  formatTime: (at: string) => string,
): string {
  if (nextAttemptAt === null) return 'none';
  if (!isOn) return 'when the webhook is on again';
  // It is due, but earlier messages are still being sent.
  if (Date.parse(nextAttemptAt) <= Date.now()) return 'after the messages before it';
  return formatTime(nextAttemptAt);
}

/** Matches the server's sentences about an address that it sends nothing to. */
const isRejected =
  /to which nothing is sent|which is (?:a loopback|a link-local|the unspecified|a reserved|a metadata)/;

/** Names the option that allows an address of this machine, if an error is about one. */
export function LocalHint({ error }: { readonly error: string }) {
  if (!isRejected.test(error)) return null;
  return (
    <Text size="sm" mt={4} c="var(--mantine-color-text)">
      To reach this machine and its link, start the server with{' '}
      <Code>loadout serve --webhooks-to-local</Code>. Private networks are always allowed.
    </Text>
  );
}
