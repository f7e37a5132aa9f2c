/** Sends a message of the type webhook.test, and shows the result. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { request } from '../api/call.js';
import { IconAlertTriangle, IconCheck, IconSend } from '../icons/icons.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { describeOutcome, LocalHint } from './delivery-state.js';
import { useRefreshWebhooks } from './use-webhooks.js';

export function TestButton({ id }: { readonly id: string }) {
  const refresh = useRefreshWebhooks();
  const test = useMutation({
    mutationFn: () => request('POST /webhooks/:id/test', { params: { id } }),
    onSettled: refresh,
  });
  const { data, error } = test;
  const isDelivered = data?.status === 'delivered';
  const Icon = isDelivered ? IconCheck : IconAlertTriangle;
  return (
    <div>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Send a test message
        </Button>
        <Text size="sm" c="dimmed" flex={1} miw={220}>
          One message, sent at once, even while the webhook is off. It counts neither as success nor
          as failure.
        </Text>
      </Group>
      <div role="status">
        {data !== undefined && !test.isPending && (
          <Alert
            mt="sm"
            variant="light"
            color={isDelivered ? 'teal' : 'red'}
            icon={<Icon aria-hidden />}
            title={isDelivered ? 'The test arrived' : 'The test did not arrive'}
          >
            <Text size="sm">
              {isDelivered ? `Response: ${describeOutcome(data)}.` : describeOutcome(data)}
            </Text>
            <LocalHint error={data.lastError} />
          </Alert>
        )}
      </div>
      {error !== null && <ProblemAlert error={error} onRetry={() => test.mutate()} />}
    </div>
  );
}
