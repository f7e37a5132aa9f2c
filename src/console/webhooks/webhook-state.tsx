/** Whether a webhook is on, fails or is off; and what became of a message. */
import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconPlayerPause } from '@tabler/icons-react';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type { Webhook } from '../../contract/operations/webhooks.js';

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  if (!webhook.enabled) {
    return (
      <Badge
        variant="default"
        miw="max-content"
        leftSection={<IconPlayerPause size={12} aria-hidden />}
      >
        off
      </Badge>
    );
  }
  if (webhook.failures > 0) {
    return (
      <Badge
        variant="light"
        color="red"
        c={readable('red')}
        miw="max-content"
        leftSection={<IconAlertTriangle size={12} aria-hidden />}
      >
        failing
      </Badge>
    );
  }
  return (
    <Badge
      variant="light"
      color="teal"
      c={readable('teal')}
      miw="max-content"
      leftSection={<IconCheck size={12} aria-hidden />}
    >
      on
    </Badge>
  );
}

const looks = {
  delivered: { color: 'teal', words: 'delivered', icon: IconCheck },
  pending: { color: 'blue', words: 'waiting', icon: IconClock },
  failed: { color: 'red', words: 'failed', icon: IconAlertTriangle },
} as const;

export function DeliveryState({ status }: Pick<WebhookDelivery, 'status'>) {
  const { color, words, icon: Icon } = looks[status];
  return (
    <Badge
      variant="light"
      color={color}
      c={readable(color)}
      miw="max-content"
      leftSection={<Icon size={12} aria-hidden />}
    >
      {words}
    </Badge>
  );
}

/** On the tint of its own colour; Mantine's darkest shade is a little too light for text of this size. */
function readable(color: 'teal' | 'blue' | 'red'): string {
  const darkest = `color-mix(in srgb, var(--mantine-color-${color}-9) 80%, black)`;
  return `light-dark(${darkest}, var(--mantine-color-${color}-2))`;
}

/** What the last attempt came to, in words. */
export function outcomeWords(delivery: WebhookDelivery): string {
  const { lastStatus, lastError, lastDurationMs, attempts } = delivery;
  if (attempts === 0 && lastError === '') return 'not tried yet';
  const took = lastDurationMs === null ? '' : ` after ${lastDurationMs} ms`;
  if (lastError !== '') return lastError;
  return lastStatus === null ? 'no answer' : `answered ${lastStatus}${took}`;
}

/** When it is tried the next time, in words. */
export function nextTryWords(
  { nextAttemptAt }: Pick<WebhookDelivery, 'nextAttemptAt'>,
  isOn: boolean,
  timeWords: (at: string) => string,
): string {
  if (nextAttemptAt === null) return 'none';
  if (!isOn) return 'when the webhook is on again';
  // It is due, but those before it are not through.
  if (Date.parse(nextAttemptAt) <= Date.now()) return 'when it is its turn';
  return timeWords(nextAttemptAt);
}
